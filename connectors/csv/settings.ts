import { z } from "zod";
import { delimiters, lineBreaks } from "./dialect.ts";
import { encodings } from "./encoding.ts";
import { dateFormats } from "./values/dates.ts";
import { folded } from "./values/words.ts";

/** The types of custom fields; the family's own fields have fixed types. */
export const customKinds = ["text", "number", "boolean", "day", "moment", "texts"] as const;

const column = z.object({
  column: z.int().min(0).max(16_383).describe("Its place in the table, from 0."),
  header: z.string().max(1000).describe("As it stands in the file: another file is noticed by it."),
  field: z.string().min(1).max(200).describe("A path in the family's record, or customFields.KEY."),
  to: z.string().optional().describe("The stream that its ids are of, where there is a choice."),
  date: z.enum(dateFormats).optional(),
  decimal: z.enum([".", ","]).optional(),
  unit: z.enum(["minutes", "hours"]).optional(),
  separator: z.enum([",", ";", "|", "\n", " ", "/", ">"]).optional().describe("Between several values."),
  text: z.enum(["plain", "html", "markdown", "textile"]).optional().describe("How texts are written."),
  words: z
    .record(z.string(), z.string())
    .transform((words) =>
      Object.fromEntries(Object.entries(words).map(([word, meaning]) => [folded(word), meaning])),
    )
    .optional()
    .describe("What the tool's words mean here; case and accents make no difference."),
  otherwise: z.string().optional().describe("The meaning of all other words; else such rows fail."),
  as: z.enum(customKinds).optional().describe("Of custom fields."),
});

export type ColumnChoice = z.infer<typeof column>;

export const dialect = z.object({
  encoding: z.enum(encodings).optional(),
  delimiter: z.enum(delimiters).optional(),
  quote: z.enum(['"', "'", ""]).optional(),
  lineBreak: z.enum(lineBreaks).optional(),
});

const fileChoice = z.object({
  file: z.string().min(1).max(200).describe("The upload's id."),
  sheet: z.string().optional().describe("Of an Excel file; else its first one."),
  dialect: dialect.default({}).describe("What a person corrected; the rest is detected."),
  columns: z.array(column).min(1).max(5000),
  leftOut: z
    .array(column.pick({ column: true, header: true }))
    .max(16_384)
    .optional()
    .describe("Columns that a person left out: those of a later file are known by their names."),
  constants: z
    .record(z.string(), z.string())
    .default({})
    .describe("For fields that no column fills: the same value in every record."),
});

export type FileChoice = z.infer<typeof fileChoice>;

export const csvSettings = z.object({
  importId: z
    .string()
    .max(100)
    .default("")
    .meta({ title: "Import", description: "Set by the server: whose files these are." }),
  files: z.record(z.string(), fileChoice).meta({
    title: "Files",
    description: "One CSV or Excel file for each kind of record, exported from your old tool.",
  }),
  filesLeftOut: z
    .array(z.string().max(200))
    .max(1000)
    .optional()
    .meta({ title: "Files left out", description: "Uploads that you chose to leave out." }),
  timeZone: z
    .string()
    .max(60)
    .refine((name) => {
      try {
        return Intl.DateTimeFormat("en", { timeZone: name }) !== null;
      } catch {
        return false;
      }
    }, "There is no such time zone.")
    .default("UTC")
    .meta({
      title: "Time zone",
      description: "Of times in the files that don't name one: Europe/Berlin, America/New_York.",
    }),
});

export type CsvSettings = z.output<typeof csvSettings>;
