import type { FamilyStream } from "../../../features/tools/index.ts";
import {
  loadFacts,
  loadRevision,
  type Mapping,
  type MovedField,
  movedFields,
} from "../../../features/mapping/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import { previewNames } from "../represent.ts";

const namesPeople = (mapping: Mapping, { name }: FamilyStream) => {
  const own = Object.hasOwn(mapping.streams, name) ? mapping.streams[name] : undefined;
  return own !== undefined && Object.values(own.source).some(({ type }) => type === "person");
};

/** The targets that each revision of the mapping assigns to a stream's custom fields. */
export const createMovedBy =
  (needs: { readonly db: Database; readonly sealer: Sealer }) =>
  async (importId: string, stream: FamilyStream, revisions: ReadonlySet<number>) => {
    const moved = new Map<number, readonly MovedField[]>();
    for (const revision of revisions) {
      const mapping = await loadRevision(needs.db, importId, revision);
      if (!mapping) continue;
      // Loading all people is expensive: only fields that hold people need their names.
      const facts = namesPeople(mapping, stream) ? await loadFacts(needs, importId) : undefined;
      moved.set(revision, movedFields(mapping, stream, previewNames(facts)));
    }
    return moved;
  };
