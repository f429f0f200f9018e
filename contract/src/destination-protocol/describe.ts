import { z } from "zod";
import { families } from "../families.ts";
import { named } from "./named.ts";
import { call, fieldChange, recordId } from "./parts.ts";

export const option = z.object({ value: z.string().max(200), label: z.string().max(200) });

export const customFieldType = z.enum([
  "text",
  "long-text",
  "number",
  "boolean",
  "date",
  "moment",
  "choice",
  "choices",
  "person",
  "link",
]);

export const customField = named(
  "CustomField",
  "A field that people added to your tool.",
  z.object({
    key: z.string().min(1).max(200).describe("Stable: the key in a record's `customFields`."),
    label: z.string().max(200),
    type: customFieldType,
    required: z.boolean().default(false),
    options: z.array(option).optional().describe("Of `choice` and `choices`."),
    maxLength: z.int().min(1).optional(),
    writable: z.boolean().default(true).describe("False: you fill it yourself."),
  }),
);

const describedStream = named(
  "DescribedStream",
  "A stream that you take, and what becomes of its records.",
  z.object({
    name: z.string().min(1).max(64).describe("A name of the family: `tickets`."),
    duties: z
      .array(z.enum(["silent", "backdates", "keeps-author"]))
      .default([])
      .describe(
        "What you promise, and what is shown to customers: a write notifies no person; `createdAt` and `updatedAt` stay; authors stay.",
      ),
    drops: z.array(fieldChange).default([]).describe("Fields that you can't hold, with the reason."),
    addedFields: z
      .array(z.string().min(1).max(64))
      .default([])
      .describe(
        "Fields that the family got after its first version, marked “Added later” in its schema, which you hold. Records come without the others, and the report lists them as left out.",
      ),
    removes: z.boolean().default(true).describe("False: `remove` is not available, so an undo leaves it."),
    opens: z
      .boolean()
      .default(false)
      .describe(
        "Of a stream of files: true when you answer to `open`, so that copies can be compared with originals.",
      ),
    customFields: z.array(customField).default([]),
    createsFields: z
      .array(customFieldType)
      .default([])
      .describe(
        "Types of custom fields that you add when `createField` asks for one: customers can then choose to create a field that you lack. Empty: you don't answer to `createField` and `removeField`.",
      ),
    options: z
      .record(z.string(), z.array(option))
      .default({})
      .describe(
        "By field: the words that you know for `status`, `priority`, `type`. A field not listed takes any.",
      ),
    url: z
      .string()
      .regex(/^https?:\/\/[^\s]+$/i)
      .max(2_048)
      .optional()
      .describe("Where a person sees a record; `{id}` and `{parentId}` are filled in."),
  }),
);

const person = named(
  "Person",
  "A person whom authors and assignees of the old tool can be matched with.",
  z.object({
    id: recordId,
    name: z.string().max(500),
    email: z.string().max(320).nullable().default(null),
    active: z.boolean().default(true),
  }),
);

export const describeCall = named(
  "DescribeCall",
  "What do you take?",
  call("describe", {
    peopleAfter: z
      .string()
      .max(512)
      .nullable()
      .default(null)
      .describe("Null: from the first. Else the `peopleNext` of your last answer."),
  }),
);

export const described = named(
  "Description",
  "What you take.",
  z.object({
    protocol: z.literal(1).describe("The version of this protocol that you speak."),
    tool: z.object({
      name: z.string().min(1).max(200).describe("Your product's name."),
      accountName: z.string().min(1).max(200).describe("The customer's account, as its people know it."),
      accountId: z.string().min(1).max(200).describe("Stable; limits are counted by it."),
    }),
    limits: z
      .object({
        batchItems: z.int().min(1).max(1_000).default(100).describe("Records in a call, at most."),
        bodyBytes: z
          .int()
          .min(65_536)
          .default(8_388_608)
          .describe("Bytes of a call's body, at most; a larger record is rejected as `too_large`."),
        fileBytes: z
          .int()
          .min(0)
          .nullable()
          .default(null)
          .describe("Bytes of a file, at most; null: no limit, 0: no files."),
      })
      .prefault({}),
    families: z
      .array(
        z.object({
          family: z.enum(families),
          streams: z.array(describedStream).min(1),
        }),
      )
      .min(1),
    people: z.array(person).max(1_000).default([]).describe("A page of those who can be matched."),
    peopleNext: z.string().max(512).nullable().default(null).describe("Null: that was the last page."),
  }),
);

export type Described = z.output<typeof described>;
export type DescribedStream = z.output<typeof describedStream>;
