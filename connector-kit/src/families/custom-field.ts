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

/** A field that people added to the tool: what mapping offers, and what a record's `customFields` is keyed by. */
export interface CustomField {
  /** Stable in this tool: the key in `customFields`. */
  readonly key: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly required: boolean;
  /** Of `choice` and `choices`. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly maxLength?: number;
  /** False: the tool fills it itself, so that it can be read but not be written. */
  readonly writable: boolean;
}
