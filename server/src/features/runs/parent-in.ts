import { type FamilyRecord, type FamilyStream, referencesOf } from "@portage/connector-kit";

/** The parents that rows name as `stream/id`, as they are in the source; those that have none name nothing. */
export const parentsNamed = (
  texts: readonly (string | null)[],
): readonly { readonly stream: string; readonly id: string }[] =>
  texts.flatMap((text) => {
    const split = text?.indexOf("/") ?? -1;
    return text === null || split < 0 ? [] : [{ stream: text.slice(0, split), id: text.slice(split + 1) }];
  });

/** The parent's id in the destination, as `find` takes it: some tools look for nothing without it. */
export const parentIn = (
  stream: FamilyStream<FamilyRecord>,
  record: FamilyRecord | null | undefined,
): { readonly parentId?: string } => {
  const parent = record && referencesOf(stream, record).find(({ field }) => field === stream.parent);
  return parent ? { parentId: parent.id } : {};
};
