import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Database, Transaction } from "../../../platform/db.ts";
import { type CreatedField, resolveCreations } from "./created-fields.ts";
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

/** The database, or a transaction of the caller. */
interface OnDatabase {
  readonly sql: Database["sql"] | Transaction;
}

export interface MappingToSave {
  readonly mapping: Mapping;
  /** The revision that it was made from. */
  readonly based: number;
  readonly actor: MappingActor;
}

/** How many revisions unused by runs are kept; older ones have no use. */
const keptUnused = 20;

const nothing: LoadedMapping = { revision: 0, mapping: emptyMapping };

/** The newest revision. */
export const loadMapping = async (db: OnDatabase, importId: string): Promise<LoadedMapping> => {
  const row = await db.sql
    .selectFrom("mappingRevisions")
    .select(["revision", "mapping"])
    .where("importId", "=", importId)
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? { revision: row.revision, mapping: mappingSchema.parse(row.mapping) } : nothing;
};

/** The fields that the import's runs created in the destination, for the mapping's choices to create one. */
export const listCreatedFields = async (db: Database, importId: string): Promise<readonly CreatedField[]> =>
  (await db.sql
    .selectFrom("destinationFields")
    .select(["stream", "sourceKey", "field"])
    .where("importId", "=", importId)
    .where("sourceKey", "<>", "")
    .where("state", "in", ["creating", "created", "kept"])
    .where("field", "is not", null)
    .orderBy("stream")
    .orderBy("sourceKey")
    .execute()) as readonly unknown[] as readonly CreatedField[];

/** The newest revision, with the created fields in place of the choices to create them. */
export const loadResolvedMapping = async (db: Database, importId: string): Promise<Mapping> =>
  resolveCreations((await loadMapping(db, importId)).mapping, await listCreatedFields(db, importId));

/** A revision that a run used, with its created fields; undefined: it does not exist, or no run used it and it was pruned. */
export const loadRevision = async (
  db: Database,
  importId: string,
  revision: number,
): Promise<Mapping | undefined> => {
  if (revision === 0) return emptyMapping;
  const row = await db.sql
    .selectFrom("mappingRevisions")
    .select("mapping")
    .where("importId", "=", importId)
    .where("revision", "=", revision)
    .executeTakeFirst();
  return row && resolveCreations(mappingSchema.parse(row.mapping), await listCreatedFields(db, importId));
};

/**
 * Saves a mapping made from the revision `based`. If another save of that revision came first, answers `stale` with
 * what it saved. A mapping without changes makes no revision.
 */
export const saveMapping = async (
  db: OnDatabase,
  importId: string,
  { mapping, based, actor }: MappingToSave,
): Promise<Saved> => {
  const current = await loadMapping(db, importId);
  if (current.revision !== based) return { kind: "stale", current };
  if (based > 0 && isDeepStrictEqual(current.mapping, mapping)) return { kind: "saved", revision: based };
  const { rows } = await sql<{ revision: number }>`
    insert into mapping_revisions (import_id, revision, mapping, actor)
    select ${importId}, ${based + 1}, ${JSON.stringify(mapping)}::jsonb, ${actor}
    where coalesce((select max(revision) from mapping_revisions where import_id = ${importId}), 0) = ${based}
    on conflict do nothing returning revision`.execute(db.sql);
  const [saved] = rows;
  if (!saved) return { kind: "stale", current: await loadMapping(db, importId) };
  await db.sql
    .deleteFrom("mappingRevisions")
    .where("importId", "=", importId)
    .where("revision", "<=", saved.revision - keptUnused)
    .where("usedAt", "is", null)
    .execute();
  return { kind: "saved", revision: saved.revision };
};

/** Records that a run uses this revision. False: it no longer exists. */
export const markUsed = async (db: Database, importId: string, revision: number): Promise<boolean> => {
  const marked = await db.sql
    .updateTable("mappingRevisions")
    .set({ usedAt: sql`coalesce(used_at, now())` })
    .where("importId", "=", importId)
    .where("revision", "=", revision)
    .executeTakeFirst();
  return marked.numUpdatedRows === 1n;
};

/** How many revisions runs have used. */
export const countUsed = async (db: Database, importId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from mapping_revisions where import_id = ${importId} and used_at is not null`.execute(
    db.sql,
  );
  return rows[0]?.count ?? 0;
};

/** Every revision that a run used, oldest first: the ledger's rows were made with these. */
export const listUsed = async (db: Database, importId: string): Promise<readonly LoadedMapping[]> => {
  const rows = await db.sql
    .selectFrom("mappingRevisions")
    .select(["revision", "mapping"])
    .where("importId", "=", importId)
    .where("usedAt", "is not", null)
    .orderBy("revision")
    .execute();
  return [
    nothing,
    ...rows.map(({ revision, mapping }) => ({ revision, mapping: mappingSchema.parse(mapping) })),
  ];
};
