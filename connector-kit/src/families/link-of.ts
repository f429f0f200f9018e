import type { FamilyRecord, FamilyStream } from "./stream.ts";

/** Where an attachment is that the tool holds as a link: it has no bytes. Null: it is a file, or no attachment at all. */
export const linkOf = (
  { kind, addedFields }: Pick<FamilyStream, "kind" | "addedFields">,
  record: FamilyRecord,
): string | null =>
  kind === "file" && addedFields.includes("url")
    ? ((record as FamilyRecord & { readonly url?: string | null }).url ?? null)
    : null;
