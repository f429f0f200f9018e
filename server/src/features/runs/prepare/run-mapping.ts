import { isDeepStrictEqual } from "node:util";
import { familyStreams, type FamilyStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { LRUCache } from "lru-cache";
import type { Database } from "../../../platform/db.ts";
import {
  type CompiledMapping,
  compileMapping,
  countUsed,
  type CreatedField,
  creationsIn,
  isStreamSelected,
  listCreatedFields,
  listUsed,
  type LoadedMapping,
  makesSame,
  mappingTouches,
  personFieldsOf,
  resolveCreations,
  usesIn,
} from "../../mapping/index.ts";
import type { RunMapping } from "../chunk/chunk-context.ts";

const toRunMapping = (
  used: readonly LoadedMapping[],
  created: readonly CreatedField[],
  revision: number,
  family: Family,
): RunMapping => {
  const found = used.find((each) => each.revision === revision);
  if (!found) throw new Error(`The run uses mapping revision ${revision}, which does not exist.`);
  const compiled: CompiledMapping = compileMapping(resolveCreations(found.mapping, created));
  const streams = new Map<string, FamilyStream>(familyStreams[family].map((each) => [each.name, each]));
  const resolved = used.map(({ mapping }) => resolveCreations(mapping, created));
  const personFields = new Map<string, readonly string[]>();
  const touched = new Map<string, boolean>();
  const earlier = new Map<number, CompiledMapping | null>();
  const compiledAt = (before: number): CompiledMapping | null => {
    const known = earlier.get(before);
    if (known !== undefined) return known;
    const was = used.find((each) => each.revision === before);
    const made = was ? compileMapping(resolveCreations(was.mapping, created)) : null;
    earlier.set(before, made);
    return made;
  };
  return {
    revision,
    creations: creationsIn(found.mapping),
    uses: usesIn(found.mapping),
    includes: (stream) => isStreamSelected(found.mapping, stream),
    isSelected: compiled.isSelected,
    apply: compiled.apply,
    personFor: compiled.personFor,
    personFields: (stream) => {
      const known = personFields.get(stream) ?? personFieldsOf(resolved, stream);
      personFields.set(stream, known);
      return known;
    },
    copiedPeopleIn: compiled.copiedPeopleIn,
    differsFrom: (before, name) => {
      if (before === revision) return false;
      const key = `${before}/${name}`;
      const known = touched.get(key);
      if (known !== undefined) return known;
      const was = used.find((each) => each.revision === before);
      const stream = streams.get(name);
      // A revision that is gone may have made different copies.
      const differs = !was || !stream || mappingTouches(was.mapping, found.mapping, stream);
      touched.set(key, differs);
      return differs;
    },
    makesSameAs: (before, stream, record) => {
      const was = compiledAt(before);
      return was !== null && makesSame(was, compiled, stream, record);
    },
    asOf: compiledAt,
    choosesLike: (before) => {
      const was = used.find((each) => each.revision === before);
      return was !== undefined && isDeepStrictEqual(was.mapping.selection, found.mapping.selection);
    },
  };
};

/** Mappings as runs use them, compiled once per revision and the fields created for it. */
export const createLoadMapping = (db: Database) => {
  const kept = new LRUCache<string, RunMapping>({ max: 50 });
  return async (importId: string, revision: number, family: Family): Promise<RunMapping> => {
    const created = await listCreatedFields(db, importId);
    // An undo has no revision of its own, and asks about all that were used until now.
    const key = `${importId}/${revision}/${await countUsed(db, importId)}/${family}/${JSON.stringify(created)}`;
    const known = kept.get(key);
    if (known) return known;
    const made = toRunMapping(await listUsed(db, importId), created, revision, family);
    kept.set(key, made);
    return made;
  };
};
