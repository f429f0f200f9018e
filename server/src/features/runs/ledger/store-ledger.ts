// Hot: a run reads the ledger page by page.
import type { Declared } from "@portage/connector-kit";
import type { Database } from "../../../platform/db.ts";
import type { Lease } from "../chunk/lease.ts";
import {
  foundAgain,
  inDoubt,
  keptFromBefore,
  type LedgerState,
  replaced,
  stateName,
  stateNumber,
} from "./row-state.ts";

interface After {
  readonly after: string | null;
  readonly limit: number;
}

/**
 * The records of a stream that others are read by, whatever their outcome; in a sample, only those in it. `touched`: only those
 * that this run wrote or tried to, and matches, which no run writes.
 */
export const listParents = async (
  db: Database,
  { leaf, importId, kind, runNumber }: Lease,
  stream: string,
  { parts, index, touched }: { readonly parts: number; readonly index: number; readonly touched: boolean },
  { after, limit }: After,
): Promise<readonly string[]> => {
  const sampled = `and exists (select 1 from sample_records s where s.import_id = $1 and s.stream = $2
    and s.source_id = l.source_id)`;
  const { rows } = await db.pool.query<{ id: string }>({
    name: `list-parents-${leaf}-${kind === "sample"}`,
    text: `select l.source_id as id from ${leaf} l
           where l.import_id = $1 and l.stream = $2 and l.source_id > $3 and l.state <> ${stateNumber("undone")}
             and ($4::int = 1 or abs(hashtext(l.source_id)) % $4 = $5) ${kind === "sample" ? sampled : ""}
             and ($7::int is null or l.run_number = $7 or l.state = ${stateNumber("matched")})
           order by l.source_id limit $6`,
    values: [importId, stream, after ?? "", parts, index, limit, touched ? runNumber : null],
  });
  return rows.map(({ id }) => id);
};

/** Ids of records that failed, or were skipped because of a missing parent, in order; `codes`: only for these reasons. */
export const listFailed = async (
  db: Database,
  { leaf, importId, stream, runNumber }: Lease,
  codes: readonly string[] | null,
  { after, limit }: After,
): Promise<readonly string[]> => {
  const { rows } = await db.pool.query<{ id: string }>({
    name: `list-failed-${leaf}`,
    text: `select source_id as id from ${leaf}
           where import_id = $1 and stream = $2 and source_id > $3 and run_number < $4
             and (state = ${stateNumber("failed")} or (state = ${stateNumber("skipped")} and reason = 'parent_missing')
               or (state = ${stateNumber("written")} and reason = 'update_failed'))
             and ($6::text[] is null or reason = any($6))
           order by source_id limit $5`,
    values: [importId, stream, after ?? "", runNumber, limit, codes],
  });
  return rows.map(({ id }) => id);
};

export const listSampled = async (
  db: Database,
  { importId, stream }: Lease,
  { after, limit }: After,
): Promise<readonly string[]> => {
  const { rows } = await db.pool.query<{ id: string }>(
    `select source_id as id from sample_records where import_id = $1 and stream = $2 and source_id > $3
     order by source_id limit $4`,
    [importId, stream, after ?? "", limit],
  );
  return rows.map(({ id }) => id);
};

/** Which of these records are in the sample. */
export const listSampledAmong = async (
  db: Database,
  { importId, stream }: Lease,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await db.pool.query<{ id: string }>(
    "select source_id as id from sample_records where import_id = $1 and stream = $2 and source_id = any($3)",
    [importId, stream, ids],
  );
  return new Set(rows.map(({ id }) => id));
};

/** Records with links that wait for their target, in order. */
export const listWithLinks = async (
  db: Database,
  { leaf, importId, stream }: Lease,
  { after, limit }: After,
): Promise<readonly { readonly id: string; readonly ready: boolean }[]> => {
  const { rows } = await db.pool.query<{ id: string; ready: boolean }>({
    name: `list-with-links-${leaf}`,
    text: `select p.source_id as id, bool_or(t.found is not null) as ready
           from (select distinct source_id from pending_links
                 where import_id = $1 and stream = $2 and source_id > $3 order by source_id limit $4) w
           -- one lookup by key each: a join would read all pending links
           cross join lateral (select * from pending_links l
             where l.import_id = $1 and l.stream = $2 and l.source_id = w.source_id offset 0) p
           left join lateral (select 1 as found from ${leaf} l where l.import_id = $1 and l.stream = p.to_stream
             and l.source_id = p.to_id and l.state in (1, 2, 6) offset 0) t on true
           group by p.source_id order by p.source_id`,
    values: [importId, stream, after ?? "", limit],
  });
  return rows;
};

export interface LedgerRow {
  readonly sourceId: string;
  readonly state: LedgerState;
  readonly destId: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly destHash: string | null;
  readonly sourceHash: string | null;
  readonly keyGeneration: number | null;
  readonly parent: string | null;
  readonly runNumber: number;
  /** Of the mapping by which it was settled last. */
  readonly mappingRevision: number;
  readonly declared: Declared | null;
  /** An update without a clear answer may have changed the copy. */
  readonly unclear: boolean;
  /** The run whose sweep saw it last, or after which it was found by its id: see `metAfter`. */
  readonly swept: number | null;
  /** The run whose check has compared it with a page of the source, and counted it. */
  readonly compared: number | null;
}

const ledgerColumns = `source_id as "sourceId", state, dest_id as "destId", reason, detail,
  encode(dest_hash, 'hex') as "destHash", encode(source_hash, 'hex') as "sourceHash", key_generation as "keyGeneration", parent, run_number as "runNumber",
  mapping_revision as "mappingRevision", declared, unclear, swept, compared`;

/** All rows of a stream in the order of their ids. */
export const listRows = async (
  db: Database,
  { leaf, importId, stream }: Lease,
  { after, limit }: After,
): Promise<readonly LedgerRow[]> => {
  const { rows } = await db.pool.query<Omit<LedgerRow, "state"> & { state: number }>({
    name: `list-rows-${leaf}`,
    text: `select ${ledgerColumns} from ${leaf} where import_id = $1 and stream = $2 and source_id > $3 order by source_id limit $4`,
    values: [importId, stream, after ?? "", limit],
  });
  return rows.map((row) => ({ ...row, state: stateName(row.state) }));
};

/** The rows of these records, in any order. */
export const listRowsOf = async (
  db: Database,
  { leaf, importId, stream }: Lease,
  ids: readonly string[],
): Promise<readonly LedgerRow[]> => {
  const { rows } = await db.pool.query<Omit<LedgerRow, "state"> & { state: number }>({
    name: `list-rows-of-${leaf}`,
    text: `select k.* from (select distinct id from unnest($3::text[]) u(id)) u,
             lateral (select ${ledgerColumns} from ${leaf} l
               where l.import_id = $1 and l.stream = $2 and l.source_id = u.id offset 0) k`,
    values: [importId, stream, ids],
  });
  return rows.map((row) => ({ ...row, state: stateName(row.state) }));
};

export interface ScannedRows {
  readonly rows: readonly LedgerRow[];
  /** The last id that was looked at; null: there is none after it. */
  readonly last: string | null;
}

interface Scan extends After {
  readonly name: string;
  /** Of a row `p`, with `values` from $5 on. */
  readonly where: string;
  readonly values?: readonly unknown[];
}

/** Looks at the next rows of a stream, by their key, for those that no key leads to; `limit`: how many it looks at. */
const scanRows = async (
  db: Database,
  { leaf, importId, stream }: Lease,
  { name, where, after, limit, values = [] }: Scan,
): Promise<ScannedRows> => {
  const { rows } = await db.pool.query<{
    rows: readonly (Omit<LedgerRow, "state"> & { state: number })[] | null;
    last: string | null;
  }>({
    name: `${name}-${leaf}`,
    text: `with page as materialized (
             select ${ledgerColumns} from ${leaf} where import_id = $1 and stream = $2 and source_id > $3 order by source_id limit $4)
           select (select json_agg(p) from page p where ${where}) as rows, (select max("sourceId") from page) as last`,
    values: [importId, stream, after ?? "", limit, ...values],
  });
  const [found] = rows;
  return {
    rows: (found?.rows ?? []).map((row) => ({ ...row, state: stateName(row.state) })),
    last: found?.last ?? null,
  };
};

const rowsPerScan = 10_000;

/** Rows of people whom another person replaces now, and whose copies still exist. */
export const listReplaced = async (
  db: Database,
  lease: Lease,
  { after, limit }: After,
): Promise<readonly LedgerRow[]> => {
  const name = "list-replaced";
  const where = `p.state = ${stateNumber("written")} and p.reason = '${replaced}'`;
  const found: LedgerRow[] = [];
  for (let at: string | null = after ?? ""; at !== null && found.length < limit; ) {
    const page = await scanRows(db, lease, { name, where, after: at, limit: rowsPerScan });
    found.push(...page.rows);
    at = page.last;
  }
  return found.slice(0, limit);
};

/**
 * Of the next rows of a stream, those whose copy may not be as this run would have written it: it left the copy alone, did not
 * come across it, or does not know its content.
 */
export const listLeft = (db: Database, lease: Lease, { after, limit }: After): Promise<ScannedRows> =>
  scanRows(db, lease, {
    name: "list-left",
    where: `case when p."destId" is null then p."keyGeneration" is not null and p.state <> ${stateNumber("undone")}
              else (p.state in (${stateNumber("written")}, ${stateNumber("kept")})
                  or (p.state = ${stateNumber("matched")} and p.reason = '${keptFromBefore}'))
                and p.reason is distinct from '${replaced}'
                and (p."runNumber" <> $5 or p.reason is not null or p."destHash" is null) end`,
    after,
    limit,
    values: [lease.runNumber],
  });

/** Copies of replaced people with which other people of this import are matched. */
export const listMatchedReplaced = async (db: Database, lease: Lease): Promise<readonly string[]> => {
  const copies = new Set(
    (await listReplaced(db, lease, { after: null, limit: Number.POSITIVE_INFINITY })).map(
      ({ destId }) => destId,
    ),
  );
  if (copies.size === 0) return [];
  const name = "list-matched-replaced";
  const where = `p.state = ${stateNumber("matched")} and p."destId" = any($5::text[])`;
  const found = new Set<string>();
  for (let at: string | null = ""; at !== null; ) {
    const page = await scanRows(db, lease, {
      name,
      where,
      after: at,
      limit: rowsPerScan,
      values: [[...copies]],
    });
    for (const { destId } of page.rows) if (destId !== null) found.add(destId);
    at = page.last;
  }
  return [...found];
};

/** Whether any copy of these streams exists because of this import. */
export const hasCopiesOf = async (
  db: Database,
  { leaf, importId }: Lease,
  streams: readonly string[],
): Promise<boolean> => {
  // In the order of the key, stream by stream: else the first one is looked for in all of the leaf.
  const { rows } = await db.pool.query(
    `select from unnest($2::text[]) u(stream), lateral (
       select from ${leaf} l where l.import_id = $1 and l.stream = u.stream and l.state = ${stateNumber("written")}
       order by l.source_id limit 1) found limit 1`,
    [importId, streams],
  );
  return rows.length > 0;
};

/** Which of these ids have no final outcome in the ledger yet. */
export const listMissing = async (
  db: Database,
  { leaf, importId, stream, runNumber }: Lease,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const { rows } = await db.pool.query<{ id: string }>({
    name: `list-missing-${leaf}`,
    text: `select distinct u.id from unnest($3::text[]) u(id) left join lateral (select l.state, l.reason, l.run_number,
               l.key_generation, l.parent from ${leaf} l
             where l.import_id = $1 and l.stream = $2 and l.source_id = u.id offset 0) k on true
           where k.state is null or k.state = ${stateNumber("undone")}
             -- the source does not report an unmade change again; what was found after a lost answer may be a part
             or (k.state = ${stateNumber("written")} and (k.reason = '${foundAgain}' or (k.reason is not null and k.run_number < $4)))
             -- unknown whether it arrived: every later run looks
             or (k.state = ${stateNumber("failed")} and k.reason = '${inDoubt}' and k.run_number < $4)
             -- what it belongs to was copied after it had been left out: by this sweep, or because it is chosen by now
             or (k.state = ${stateNumber("skipped")} and k.key_generation is null
               and (k.reason = 'parent_missing' or (k.reason = 'not_selected' and k.run_number < $4))
               and exists (select 1 from ${leaf} p where p.import_id = $1 and p.stream = split_part(k.parent, '/', 1)
                 and p.source_id = substr(k.parent, strpos(k.parent, '/') + 1) and p.state in (1, 2, 6)))`,
    values: [importId, stream, ids, runNumber],
  });
  return rows.map(({ id }) => id);
};

/** Which of these records must stay because a kept record is in them or points to them. */
export const listHolding = async (
  db: Database,
  { importId, stream }: Lease,
  destIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await db.pool.query<{ id: string }>(
    "select dest_id as id from kept_records where import_id = $1 and stream = $2 and dest_id = any($3)",
    [importId, stream, destIds],
  );
  return new Set(rows.map(({ id }) => id));
};

/** Called before the pointing row is settled: one call too many only keeps a record that could have gone. */
export const keepOthers = async (
  db: Database,
  importId: string,
  others: readonly { readonly stream: string; readonly id: string }[],
): Promise<void> => {
  if (others.length === 0) return;
  await db.pool.query(
    `insert into kept_records (import_id, stream, dest_id)
     select distinct $1, u.stream, u.id from unnest($2::text[], $3::text[]) u(stream, id) on conflict do nothing`,
    [importId, others.map(({ stream }) => stream), others.map(({ id }) => id)],
  );
};

/** A run begins that removes copies later: it decides anew what must stay. */
export const forgetKept = async (
  db: Database,
  { runId, partition, token, importId }: Lease,
): Promise<void> => {
  await db.pool.query(
    `delete from kept_records where import_id = $4 and exists (
       select 1 from partitions where run_id = $1 and no = $2 and is_held(lease_token, $3) and state = 'running')`,
    [runId, partition, token, importId],
  );
};

/** How many records of a stream are in the destination already. */
export const countCopied = async (db: Database, importId: string, stream: string): Promise<number> => {
  const { rows } = await db.pool.query<{ n: number }>(
    "select count(*) as n from ledger where import_id = $1 and stream = $2 and state = any($3)",
    [importId, stream, (["written", "matched", "kept"] as const).map(stateNumber)],
  );
  return rows[0]?.n ?? 0;
};

/** Whether an earlier sample copied records of these streams that are not in the new one. */
export const hasCopiesOutside = async (
  db: Database,
  { leaf, importId }: Lease,
  streams: readonly string[],
): Promise<boolean> => {
  const { rows } = await db.pool.query(
    `select from unnest($2::text[]) u(stream), lateral (
       select from ${leaf} l where l.import_id = $1 and l.stream = u.stream and l.state <> ${stateNumber("undone")}
         and not exists (
           select 1 from sample_records s where s.import_id = $1 and s.stream = u.stream and s.source_id = l.source_id offset 0)
       order by l.source_id limit 1) found limit 1`,
    [importId, streams],
  );
  return rows.length > 0;
};

/** Rows of an earlier sample whose records are not in the new one, and with whose copies no record of the new one is matched. */
export const listOutsideSample = async (
  db: Database,
  { leaf, importId, stream }: Lease,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly LedgerRow[]> => {
  const { rows } = await db.pool.query<Omit<LedgerRow, "state"> & { state: number }>(
    `with matched as materialized (
       select m.dest_id from sample_records s, lateral (
         select dest_id from ${leaf} l where l.import_id = $1 and l.stream = $2 and l.source_id = s.source_id
           and l.state = ${stateNumber("matched")} offset 0) m
       where s.import_id = $1 and s.stream = $2)
     select ${ledgerColumns} from ${leaf} l where l.import_id = $1 and l.stream = $2 and l.source_id > $3
       and not exists (
         select 1 from sample_records s where s.import_id = $1 and s.stream = $2 and s.source_id = l.source_id offset 0)
       and ((l.state = ${stateNumber("matched")} and l.reason is distinct from '${keptFromBefore}')
         or not exists (select 1 from matched m where m.dest_id = l.dest_id))
     order by l.source_id limit $4`,
    [importId, stream, after ?? "", limit],
  );
  return rows.map((row) => ({ ...row, state: stateName(row.state) }));
};
