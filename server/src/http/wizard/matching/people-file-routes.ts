import { Readable } from "node:stream";
import { maxPeopleFileBytes, type WizardPeopleFile } from "@portage/contract/wizard";
import { z } from "zod";
import { type ReadPeopleFile, readPeopleFile, writePeopleFile } from "../../../features/mapping/index.ts";
import { invalid, ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import type { Unsent } from "../represent.ts";
import { decidedIn, type FindMatching } from "./matching.ts";

interface Needs {
  readonly findMatching: FindMatching;
}

const downloadPeople = ({ findMatching }: Needs): WizardRoute => ({
  method: "GET",
  path: "/mapping/people.csv",
  handle: async ({ import: { id } }) => {
    const matching = await findMatching(id);
    return ok(Readable.from(writePeopleFile(matching.facts, decidedIn(matching))), {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="people-${id}.csv"`,
      "x-content-type-options": "nosniff",
    });
  },
});

const body = z.object({ text: z.string({ error: "must be the text of the file" }) });

const refusalOf = (read: Exclude<ReadPeopleFile, { kind: "read" }>): string => {
  switch (read.kind) {
    case "no_columns":
      return "must have the columns “match”, and “id” or “email”";
    case "too_many_columns":
      return `must have at most ${read.most} columns`;
    case "too_many_rows":
      return `must have at most ${read.most} rows`;
    case "damaged":
      return `can't be read from row ${read.row} on: a quotation mark is not closed, or the row is too long`;
  }
};

const readPeople = ({ findMatching }: Needs): WizardRoute<z.infer<typeof body>> => ({
  method: "POST",
  path: "/mapping/people/file",
  body,
  maxBodyBytes: maxPeopleFileBytes,
  handle: async ({ import: { id }, body: { text } }) => {
    const matching = await findMatching(id);
    const read = await readPeopleFile(text, matching.facts, decidedIn(matching));
    if (read.kind !== "read") return invalid({ text: [refusalOf(read)] });
    const { choices, unchanged, problems, problemCount } = read;
    return ok({ choices, unchanged, problems, problemCount } satisfies Unsent<WizardPeopleFile>);
  },
});

/** Matching people in a spreadsheet: the list goes out, and what came back is read. The page saves it like any choice. */
export const peopleFileRoutes = (needs: Needs): readonly WizardRoute[] => [
  downloadPeople(needs),
  readPeople(needs),
];
