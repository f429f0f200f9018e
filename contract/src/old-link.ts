import { z } from "zod";

/** A record of the old tool, and the one that it became. */
export const oldLink = z
  .object({
    stream: z.string().describe("The kind of record, such as `tickets`."),
    old_id: z.string(),
    old_address: z
      .string()
      .nullable()
      .describe("Its page in the old tool; null: the tool has none that the id alone leads to."),
    new_id: z.string().describe("The id of the copy, or of the record that was there already."),
    new_address: z.string().nullable().describe("Its page in the destination."),
  })
  .meta({ id: "OldLink", description: "A record of the old tool, and the one that it became." });

export type OldLink = z.infer<typeof oldLink>;
