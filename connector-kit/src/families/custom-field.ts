import { z } from "zod";

export const customValue = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])
  .describe("Dates are ISO 8601 texts; a choice is its option's value; several choices are a list.");

export type CustomValue = z.infer<typeof customValue>;

export const customFieldTypes = [
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
] as const;

export type CustomFieldType = (typeof customFieldTypes)[number];

/** A field that people added to the tool: the mapping offers it, and its key is used in a record's `customFields`. */
export interface CustomField {
  /** The key in `customFields`, stable in this tool. */
  readonly key: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly required: boolean;
  /** Of `choice` and `choices`. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly maxLength?: number;
  /** False: the tool fills the field itself, so a connector can only read it. */
  readonly writable: boolean;
}
