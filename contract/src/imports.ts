import { z } from "zod";
import { importIdPattern, linkTokenPattern, simulationIdPattern } from "./ids.ts";
import { sponsorships } from "./sponsorship.ts";
import { statusCodes, statusTexts } from "./statuses.ts";
import { filledText, text } from "./text.ts";
import { familySchema } from "./tools.ts";

const isInstanceUrl = (value: string) => {
  // The URL parser accepts white space, backslashes and a missing "//"; a stored address must not contain them.
  if (!/^https?:\/\/[^\s\\]+$/i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.username === "" && url.password === "" && !/^https?:\/\/[^/?#]*@/i.test(value);
};

/** What `POST /imports` accepts. `null` equals left out; unknown properties are ignored. */
export const newImport = z
  .object({
    source_tool: filledText(100).describe("Name of the tool to move data from, as `GET /tools` lists it."),
    destination_instance_url: text(2048)
      .refine(isInstanceUrl, "must be an http or https address without a user name")
      .nullish()
      .describe("Address of the destination tool's instance."),
    destination_username: filledText(320)
      .nullish()
      .describe("The name or e-mail address with which the customer signs in to the destination."),
    destination_token: filledText(4096).nullish().describe("API token for the destination. Never returned."),
    start_full: z
      .boolean({ error: "must be true or false" })
      .nullish()
      .describe("Skip the sample and start the full migration, sponsored by you. Default false."),
    family: familySchema
      .nullish()
      .describe(
        "Which kind of data to move. Left out: the one that the tools share, or of several the one that the operator has set for you.",
      ),
    reference: text(255)
      .nullish()
      .describe("Your own id for this import: lists, imports, reports and events repeat it."),
  })
  .meta({
    id: "NewImport",
    description: "An import to create.",
    examples: [{ source_tool: "redmine", destination_username: "jo@acme.example", reference: "acme-42" }],
  });

export type NewImport = z.infer<typeof newImport>;

const linkToken = z.string().regex(linkTokenPattern).describe("The secret part of the customer's link.");
const redirectUrl = z
  .url()
  .describe("Send the customer here. Whoever has this address can act for the customer.");
// The sandbox's ids are the status codes, so that a caller can request each by name.
const importId = z
  .union([z.string().regex(importIdPattern), z.string().regex(simulationIdPattern), z.enum(statusCodes)])
  .meta({
    id: "ImportId",
    description:
      "An import's identifier: `imp_…`, in the simulator `sim_…`; in the sandbox, the code of a status.",
  });

export const createdImport = z
  .object({ id: importId, token: linkToken, redirect_url: redirectUrl })
  .meta({ id: "CreatedImport", description: "The import, and where to send the customer." });

export type CreatedImport = z.infer<typeof createdImport>;

const count = z.int().nonnegative();

const entry = {
  id: importId,
  token: linkToken,
  status: z
    .enum(Object.values(statusTexts))
    .meta({ id: "Status", description: "The status of an import, in the words of the interface." }),
  status_code: z
    .enum(statusCodes)
    .meta({ id: "StatusCode", description: "The status as a code, for programs." }),
  source_tool: z.string().describe("The slug of the tool from which the data comes."),
  items: z
    .record(z.string(), count)
    .describe("Records now in the destination because of this import, by stream."),
  users: z
    .object({ source_tool: count, destination_tool: count, matched: count })
    .describe("People found on each side, and how many were matched."),
  redirect_url: redirectUrl,
  sponsorship: z.enum(sponsorships).describe("Your decision to pay for the full migration."),
  reference: z.string().nullable().describe("Your own id, as given at creation."),
  created_at: z.iso.datetime().describe("When it was created, in UTC."),
  updated_at: z.iso.datetime().describe("When something last happened to it, in UTC."),
};

const orEmpty = "Empty: it can't be shown now, and the operator of this installation must look into it.";

/** Also of an import that was erased. */
export const tokenOrEmpty = z
  .string()
  .regex(new RegExp(`${linkTokenPattern.source}|^$`))
  .describe(`The secret part of the customer's link. ${orEmpty}`);

/** One import whose link can't be read must not keep a partner from the list of all others. */
export const importEntry = z
  .object({
    ...entry,
    token: tokenOrEmpty,
    redirect_url: z.string().describe(`Send the customer here. ${orEmpty}`),
  })
  .meta({ id: "ImportEntry", description: "An import in a list." });

export type ImportEntry = z.infer<typeof importEntry>;

const warning = z
  .object({
    code: z.string().describe("Stable; listed in this reference."),
    message: z.string().describe("A sentence for people."),
    stream: z.string().nullable().describe("The kind of record it is about, where it is about one."),
    count: count.describe("How many records or people it is about."),
  })
  .meta({ id: "Warning", description: "Something that a person should know." });

export type Warning = z.infer<typeof warning>;

const progress = z
  .object({
    phase: z.enum(["sample", "full", "delta", "retry_failed", "undo"]),
    state: z
      .enum(["running", "paused", "waiting", "stopping"])
      .describe("`waiting`: a person must sign in again before it goes on."),
    done: count.describe("Records that are where they should be; of an undo, those that were removed."),
    failed: count,
    skipped: count.describe("Left out for a reason that the warnings tell; of an undo, those that stay."),
    total: count.describe(
      "As many as the source said, put right by what was really read: at the end done, failed and skipped add up to it. Of a kind of record that the source does not count it holds what was read so far, so it may grow on the way; `eta_seconds` is null then.",
    ),
    eta_seconds: count.nullable().describe("Until the run ends; null while that can't be said."),
  })
  .meta({ id: "Progress", description: "How far the run under way has come." });

export type Progress = z.infer<typeof progress>;

export const importDetail = z
  .object({
    ...entry,
    family: familySchema,
    progress: progress.optional().describe("Only while a run is under way."),
    warnings: z.array(warning).min(1).optional().describe("Only if there are any."),
  })
  .meta({ id: "Import", description: "One import and how it stands." });

export type ImportDetail = z.infer<typeof importDetail>;
