import { z } from "zod";
import { families } from "../families.ts";
import { named } from "./named.ts";

/** The maximum difference between a call's time and now; a receiver refuses other calls as replays. */
export const replayWindowSeconds = 300;

export const key = named(
  "Key",
  "The external key of a record: Portage's own, one per record and import, never another's. Keep it with the record, unique per stream.",
  z
    .string()
    .regex(/^[a-z0-9:_-]+$/)
    .max(64),
);

export const recordId = named("RecordId", "Your id of a record, as a text.", z.string().min(1).max(512));

/** Every call names itself and its time, so that a signed body can't be reused for another call or later. */
export const call = <N extends string, F extends z.ZodRawShape>(name: N, fields: F) =>
  z.object({
    call: z
      .literal(name)
      .describe("The call that this body was signed for. Refuse it at any other address with 401."),
    timestamp: z.int().describe("Milliseconds since 1970, of this attempt."),
    ...fields,
  });

/** The records that a call concerns. */
export const target = {
  family: z.enum(families).describe("A family that `describe` named."),
  stream: z.string().min(1).max(64).describe("A stream of it that `describe` named: `tickets`."),
};

export const record = named(
  "Record",
  "A record of the stream, in the family's form. References hold your ids. In a `write`, `id` is the one in the old tool (provenance); in your answers it is yours.",
  z.record(z.string(), z.unknown()),
);

export const fieldChange = named(
  "FieldChange",
  "A loss that you chose. It is shown to the customer in the report.",
  z.object({
    field: z.string().max(200).describe("The path in the record: `subject`, `customFields.color`."),
    change: z.enum(["cleared", "truncated", "converted"]),
    why: z.string().max(1_000).describe("One sentence for people."),
  }),
);

export const refusalCode = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/)
  .max(64)
  .describe("Stable, for programs: `parent_missing`. It is counted in the report.");

export const refusalMessage = z
  .string()
  .max(1_000)
  .describe("One sentence for people, without the record's contents.");
