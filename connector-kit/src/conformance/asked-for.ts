import type { DestinationStream, FindQuery, Write } from "../destination.ts";
import { referencesOf } from "../families/references.ts";
import type { FamilyRecord } from "../families/stream.ts";

const since = new Date(0);

/** The query by which `find` finds a write's record, as the engine makes it. */
export const askedFor = (
  { stream }: DestinationStream,
  { write: { key, record } }: { readonly write: Write<FamilyRecord> },
): FindQuery => {
  const parent = referencesOf(stream, record).find(({ field }) => field === stream.parent);
  return { key, since, ...(parent ? { parentId: parent.id, parentStream: parent.stream } : {}) };
};
