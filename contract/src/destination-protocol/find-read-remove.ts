import { z } from "zod";
import { named } from "./named.ts";
import { call, key, record, recordId, refusalCode, refusalMessage, target } from "./parts.ts";

export const findCall = named(
  "FindCall",
  "Which of these keys do you have?",
  call("find", { ...target, keys: z.array(key).min(1).max(1_000) }),
);

export const findAnswer = named(
  "FindAnswer",
  "Every id per key; a key that you don't have may be left out.",
  z.object({ found: z.array(z.object({ key, ids: z.array(recordId) })) }),
);

export const readCall = named(
  "ReadCall",
  "How are these records now?",
  call("read", { ...target, ids: z.array(recordId).min(1).max(1_000) }),
);

export const readAnswer = named(
  "ReadAnswer",
  "One per id, in the order of the ids; null for what is gone.",
  z.object({ records: z.array(record.nullable()) }),
);

export const removeCall = named(
  "RemoveCall",
  "Remove these records. The key must be the record's: ids may have been used again. Keep a record with which something would go that people added, such as a reply.",
  call("remove", {
    ...target,
    items: z
      .array(z.object({ id: recordId, key }))
      .min(1)
      .max(1_000),
  }),
);

const removed = z.object({
  id: recordId,
  kind: z.literal("removed").describe("Also when it was gone already."),
});

const kept = z.object({
  id: recordId,
  kind: z.literal("kept").describe("It has another key, or people have built on it."),
  code: refusalCode,
  message: refusalMessage,
});

export const removeAnswer = named(
  "RemoveAnswer",
  "One per item, in the order of the items.",
  z.object({ results: z.array(z.discriminatedUnion("kind", [removed, kept])) }),
);
