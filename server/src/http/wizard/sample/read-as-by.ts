import type { FamilyStream } from "../../../features/tools/index.ts";
import {
  loadFacts,
  loadRevision,
  loadStreamFacts,
  type Mapping,
  type ReadAs,
  readAs,
} from "../../../features/mapping/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import { previewNames } from "../represent.ts";

const namesPeople = (mapping: Mapping, { name }: FamilyStream) => {
  const own = Object.hasOwn(mapping.streams, name) ? mapping.streams[name] : undefined;
  return own !== undefined && Object.values(own.source).some(({ type }) => type === "person");
};

/** How a stream's copies read in the new tool, by each revision of the mapping: its custom fields, and the labels of its words. */
export const createReadAsBy =
  (needs: { readonly db: Database; readonly sealer: Sealer }) =>
  async (importId: string, stream: FamilyStream, revisions: ReadonlySet<number>) => {
    const read = new Map<number, ReadAs>();
    for (const revision of revisions) {
      const mapping = await loadRevision(needs.db, importId, revision);
      if (!mapping) continue;
      // Loading all people is expensive: only fields that hold people need their names.
      const load = namesPeople(mapping, stream) ? loadFacts : loadStreamFacts;
      read.set(revision, readAs(mapping, stream, previewNames(await load(needs, importId))));
    }
    return read;
  };
