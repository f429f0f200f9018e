import { z } from "zod";
import { importDetail } from "./imports.ts";

const { id, reference, source_tool, family } = importDetail.shape;
const count = z.int().nonnegative();
const stream = z.string().describe("The kind of record, such as `tickets`.");
const label = z.string().describe("Its name for people.");

const causes = z.array(
  z.object({
    code: z.string().describe("Stable; a code of the warnings."),
    message: z.string().describe("A sentence for people."),
    count,
  }),
);

const verification = z.object({
  sampled_one_of: z
    .int()
    .positive()
    .describe("One in this many copies was compared, chosen by a hash of the record; 1: all of them."),
  compared: count.describe(
    "Copies that were compared with the old tool, field by field, after a second reading of both tools: `same`, `differs` and `gone`.",
  ),
  same: count,
  differs: count.describe("Different in a field or in the bytes of a file, without a stated reason."),
  gone: count.describe("No longer in the destination."),
  doubled: count.describe("Copies too many."),
  changed_at_source: count.describe("Not compared: the old tool has another version since the copy."),
  refused: count.describe("Not compared: one of the tools did not show the record."),
  differing_fields: z
    .array(z.object({ field: z.string(), count }))
    .describe("How many copies differ, by field; `file` stands for the bytes of a file."),
  files: z
    .object({
      compared: count.describe("Files that were read in both tools, and compared by length and SHA-256."),
      same: count,
      unread: count.describe("Files whose bytes one of the tools did not give."),
    })
    .nullable()
    .describe("Null: this kind of record has no files."),
});

const streamReport = z.object({
  stream,
  label,
  source: count.describe("What the old tool had, by a count of its own after the copy."),
  written: count,
  matched: count.describe("Was in the destination already, and is linked."),
  skipped: causes,
  failed: causes,
  behind: causes.describe(
    "Written, but not as in the old tool now: edited or deleted in the destination, or not updated.",
  ),
  deleted_at_source: count.describe("Copied, and deleted in the old tool since."),
  changed_fields: z
    .array(z.object({ field: z.string(), change: z.enum(["cleared", "truncated", "converted"]), count }))
    .describe("Fields that the destination can't hold as they were: declared before the copy was read."),
  verified: verification,
  adds_up: z.boolean().describe("source = written + matched + skipped + failed"),
});

/** What became of every record of an import, in counts: no record's id and nothing of its content. */
export const importReport = z
  .object({
    id,
    reference,
    source_tool,
    destination_tool: z.string().describe("The name of the tool to which the data went."),
    family,
    run: z
      .object({
        number: z.int().positive(),
        kind: z.enum(["sample", "full", "delta", "retry_failed"]),
        started_at: z.iso.datetime(),
        ended_at: z.iso.datetime(),
      })
      .describe("The last copy that was completed and verified."),
    undone: z.boolean().describe("All of it was taken away again since."),
    adds_up: z.boolean().describe("Every record of every stream is accounted for, once."),
    streams: z.array(streamReport),
    left_behind: z
      .array(
        z.object({
          stream,
          label,
          reason: z
            .enum(["not_supported", "not_selected", "not_allowed"])
            .describe(
              "The destination has no place for them, the customer left them out, or the old tool does not show them to this account.",
            ),
          count: count
            .nullable()
            .describe("What the old tool had when the run began; null: it does not tell."),
        }),
      )
      .describe("Kinds of records that were not moved at all; they are in no stream and in no sum."),
    created_fields: z
      .array(
        z.object({
          stream,
          name: z.string().describe("The field's name in the destination."),
          type: z.string(),
          state: z.enum(["created", "removed", "kept"]).describe("`removed`, `kept`: by an undo since."),
        }),
      )
      .describe("Fields that the import created in the destination."),
    silence: z
      .object({
        records: count.describe("Records of our own that were written before the copy, and removed again."),
        messages: count.describe("Messages that the destination sent about them."),
        measured_at: z.iso.datetime(),
      })
      .nullable()
      .describe("Whether copies send messages to people; null: promised, not measured."),
  })
  .meta({ id: "Report", description: "What became of every record, in counts." });

export type ImportReport = z.infer<typeof importReport>;
