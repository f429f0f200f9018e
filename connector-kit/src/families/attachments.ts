import type { Family } from "@portage/contract";
import { z } from "zod";
import { author, id, optionalNumber, optionalText, recordFields, text } from "./record-parts.ts";
import { familyStream } from "./stream.ts";

const attachment = z.object({
  ...recordFields,
  parent: z.object({ stream: z.string(), id }).describe("What it hangs on."),
  fileName: text("Without a path."),
  contentType: text("As the tool says; application/octet-stream if it doesn't."),
  size: optionalNumber("In bytes; null: not told before reading."),
  inline: z.boolean().default(false).describe("Shown inside the parent's text, not as an attachment."),
  description: optionalText("Its caption."),
  author,
});

/** Identical in every family, so that all tools handle files alike. */
export const attachmentsOf = (family: Family, parents: readonly [string, ...string[]]) =>
  familyStream(family, "attachments", {
    label: "Attachments",
    kind: "file",
    schema: attachment,
    relations: {
      parent: { to: parents, missing: "skip" },
      author: { to: ["users", "contacts", "authors"], missing: "clear" },
    },
    parent: "parent",
  });
