import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../../platform/db.ts";
import { emptyMapping, type Mapping, mappingSchema } from "./mapping.ts";

/** Who saved it, as in the audit log. */
export type MappingActor = "customer" | "operator" | "system" | `partner:${string}`;

export interface LoadedMapping {
  /** 0: nothing is decided yet, and the connectors' defaults apply. */
  readonly revision: number;
  readonly mapping: Mapping;
}

export type Saved =
  | { readonly kind: "saved"; readonly revision: number }
  /** Another save came first: the caller must look at `current` before it saves again. */
  | { readonly kind: "stale"; readonly current: LoadedMapping };

/** How many revisions unused by runs are kept; older ones have no use. */
const keptUnused = 20;

const nothing: LoadedMapping = { revision: 0, mapping: emptyMapping };

/** The newest revision. */
export const loadMapping = async (db: Database, importId: string): Promise<LoadedMapping> => {
  const { rows } = await db.pool.query<{ revision: number; mapping: unknown }>({
    name: "load-mapping",
    text: "select revision, mapping from mapping_revisions where import_id = $1 order by revision desc limit 1",
    values: [importId],
  });
  const [row] = rows;
  return row ? { revision: row.revision, mapping: mappingSchema.parse(row.mapping) } : nothing;
};

/** A revision that a run used; undefined: it does not exist, or no run used it and it was pruned. */
export const loadRevision = async (
  db: Database,
  importId: string,
  revision: number,
): Promise<Mapping | undefined> => {
  if (revision === 0) return emptyMapping;
  const { rows } = await db.pool.query<{ mapping: unknown }>({
    name: "load-mapping-revision",
    text: "select mapping from mapping_revisions where import_id = $1 and revision = $2",
    values: [importId, revision],
  });
  return rows[0] && mappingSchema.parse(rows[0].mapping);
};

/**
 * Saves a mapping made from the revision `based`. If another save of that revision came first, answers `stale` with
 * what it saved. A mapping without changes makes no revision.
 */
export const saveMapping = async (
  db: Database,
  importId: string,
  { mapping, based, actor }: { mapping: Mapping; based: number; actor: MappingActor },
): Promise<Saved> => {
  const current = await loadMapping(db, importId);
  if (current.revision !== based) return { kind: "stale", current };
  if (based > 0 && isDeepStrictEqual(current.mapping, mapping)) return { kind: "saved", revision: based };
  const { rows } = await db.pool.query<{ revision: number }>(
    `insert into mapping_revisions (import_id, revision, mapping, actor)
     select $1, $2::integer + 1, $3::jsonb, $4
     where coalesce((select max(revision) from mapping_revisions where import_id = $1), 0) = $2
     on conflict do nothing returning revision`,
    [importId, based, JSON.stringify(mapping), actor],
  );
  const [saved] = rows;
  if (!saved) return { kind: "stale", current: await loadMapping(db, importId) };
  await db.pool.query(
    "delete from mapping_revisions where import_id = $1 and revision <= $2::integer - $3 and used_at is null",
    [importId, saved.revision, keptUnused],
  );
  return { kind: "saved", revision: saved.revision };
};

/** Records that a run uses this revision. False: it no longer exists. */
export const markUsed = async (db: Database, importId: string, revision: number): Promise<boolean> => {
  const { rowCount } = await db.pool.query(
    `update mapping_revisions set used_at = coalesce(used_at, now()) where import_id = $1 and revision = $2`,
    [importId, revision],
  );
  return rowCount === 1;
};

/** Every revision that a run used, oldest first: the ledger's rows were made with these. */
export const listUsed = async (db: Database, importId: string): Promise<readonly LoadedMapping[]> => {
  const { rows } = await db.pool.query<{ revision: number; mapping: unknown }>({
    name: "list-used-mappings",
    text: `select revision, mapping from mapping_revisions where import_id = $1 and used_at is not null order by revision`,
    values: [importId],
  });
  return [
    nothing,
    ...rows.map(({ revision, mapping }) => ({ revision, mapping: mappingSchema.parse(mapping) })),
  ];
};
