import { z } from "zod";
import { named } from "./named.ts";
import { call, fieldChange, key, record, recordId, refusalCode, refusalMessage, target } from "./parts.ts";

export const fileProof = named(
  "FileProof",
  "What the bytes of a file must be.",
  z.object({
    size: z.int().min(0).describe("In bytes."),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe("Lower-case hex."),
  }),
);

const writeItem = named(
  "WriteItem",
  "One record to be made or changed.",
  z.object({
    key,
    id: recordId
      .nullable()
      .default(null)
      .describe("The record to be changed, which has this key; null: that with this key, or a new one."),
    record,
    file: fileProof
      .optional()
      .describe("Of a file's record: the upload with this key, whose bytes must be these."),
  }),
);

export const writeCall = named(
  "WriteCall",
  "Make or change these records. The same key twice, even at the same moment, leaves one record.",
  call("write", { ...target, items: z.array(writeItem).min(1).max(1_000) }),
);

const written = z.object({
  key,
  kind: z.literal("written"),
  id: recordId,
  record: record.optional().describe("As `read` would give it now; it saves a call."),
  changes: z.array(fieldChange).optional(),
});

const matched = z.object({
  key,
  kind: z
    .literal("matched")
    .describe("It was there before, by its nature (a person with that address); you changed nothing."),
  id: recordId,
});

const rejected = z.object({
  key,
  kind: z.literal("rejected").describe("Nothing was done with this one; the others are not touched by it."),
  code: refusalCode,
  message: refusalMessage,
  field: z.string().max(200).optional(),
});

export const writeOutcome = named(
  "WriteOutcome",
  "What became of one record.",
  z.discriminatedUnion("kind", [written, matched, rejected]),
);

export const writeAnswer = named(
  "WriteAnswer",
  "One outcome per item, in the order of the items.",
  z.object({ outcomes: z.array(writeOutcome) }),
);
