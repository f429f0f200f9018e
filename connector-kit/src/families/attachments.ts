import type { Family } from "@portage/contract";
import { z } from "zod";
import {
  addedToAll,
  author,
  optionalNumber,
  optionalText,
  pointer,
  recordFields,
  text,
} from "./record-parts.ts";
import { familyStream } from "./stream.ts";

const added = {
  ...addedToAll,
  url: optionalText("Where it is, if the tool holds a link in place of a file; then there are no bytes."),
};

const attachment = z.object({
  ...recordFields,
  parent: pointer.describe("What it hangs on."),
  fileName: text("Without a path."),
  contentType: text("As the tool says; application/octet-stream if it doesn't."),
  size: optionalNumber("In bytes; null: unknown before reading."),
  inline: z.boolean().default(false).describe("Shown inside the parent's text, not as an attachment."),
  description: optionalText("Its caption."),
  author,
  ...added,
});

/** Identical in every family, so that all tools handle files alike. */
export const attachmentsOf = (family: Family, parents: readonly [string, ...string[]]) =>
  familyStream(family, "attachments", {
    label: "Attachments",
    kind: "file",
    schema: attachment,
    added,
    relations: {
      parent: { to: parents, missing: "skip" },
      author: { to: ["users", "contacts", "authors"], missing: "clear" },
    },
    parent: "parent",
  });
