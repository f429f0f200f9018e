import { sql } from "kysely";
import type { Database, Transaction } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import { Secret } from "../../../platform/secret.ts";
import type { Lease, LeaseTimes } from "../chunk/lease.ts";
import { type ChooseWork, type Why, workFromText, workToText } from "./choose-work.ts";
import { type Choosing, choosingOf } from "./choosing.ts";
import type { SampleCoverage } from "./coverage.ts";

/** What the columns are sealed as. */
const fields = { work: "sample-work", coverage: "sample-coverage" } as const;

export const loadDataKey = async (db: Database, importId: string): Promise<Buffer> => {
  const row = await db.sql
    .selectFrom("imports")
    .select("dataKey")
    .where("id", "=", importId)
    .executeTakeFirstOrThrow();
  return row.dataKey;
};

/** One of the two sealed texts about an import's sample. Null: there is none, or it was erased. */
const openText = async (
  db: Database,
  sealer: Sealer,
  importId: string,
  column: "work" | "coverage",
): Promise<string | null> => {
  const row = await db.sql
    .selectFrom("sampleReviews")
    .innerJoin("imports", "imports.id", "sampleReviews.importId")
    .select([`sampleReviews.${column} as sealed`, "imports.dataKey"])
    .where("importId", "=", importId)
    .executeTakeFirst();
  if (!row?.sealed) return null;
  return sealer.open(importId, row.dataKey, fields[column], row.sealed).reveal();
};

/** The progress of this run's choice; null: it has not begun. */
export const loadWork = async (
  db: Database,
  sealer: Sealer,
  { importId, runNumber }: Lease,
): Promise<ChooseWork | null> => {
  const text = await openText(db, sealer, importId, "work");
  if (text === null) return null;
  const work = workFromText(text);
  return work.runNumber === runNumber ? work : null;
};

/** Stores the progress of a choice. False: another attempt has the partition. */
export const saveWork = async (
  db: Database,
  sealer: Sealer,
  lease: Lease,
  work: ChooseWork,
  { leaseMs }: LeaseTimes,
): Promise<boolean> => {
  const { importId } = lease;
  const secret = new Secret(workToText(work));
  const sealed = sealer.seal(importId, await loadDataKey(db, importId), fields.work, secret);
  const { rows } = await sql<{ held: boolean }>`
    with held as (
      update partitions set due_at = now() + ${leaseMs} * interval '1 ms'
      where run_id = ${lease.runId} and no = ${lease.partition} and is_held(lease_token, ${lease.token}) returning 1),
    kept as (
      insert into sample_reviews (import_id, work) select ${importId}, ${sealed} from held
      on conflict (import_id) do update set work = excluded.work)
    select exists (select 1 from held) as held`.execute(db.sql);
  return rows[0]?.held === true;
};

/** How far the choice of a sample has come, as last stored. Undefined: none is under way. */
export const findChoosing = async (
  db: Database,
  sealer: Sealer,
  importId: string,
): Promise<Choosing | undefined> => {
  const text = await openText(db, sealer, importId, "work");
  return text === null ? undefined : choosingOf(workFromText(text));
};

export interface ChosenSample {
  readonly records: readonly { readonly stream: string; readonly id: string; readonly why: Why }[];
  readonly coverage: SampleCoverage;
}

/**
 * Replaces the previous choice and its coverage; records that a person added stay. Results of records still in the
 * sample stay too, until replaced: an unchanged copy is still what it was. False: another attempt has the partition.
 */
export const replaceSample = async (
  db: Database,
  sealer: Sealer,
  lease: Lease,
  { records, coverage }: ChosenSample,
): Promise<boolean> => {
  const { importId } = lease;
  const secret = new Secret(JSON.stringify(coverage));
  const sealed = sealer.seal(importId, await loadDataKey(db, importId), fields.coverage, secret);
  const { rows } = await sql<{ held: boolean }>`
    with held as materialized (select 1 from partitions
      where run_id = ${lease.runId} and no = ${lease.partition} and is_held(lease_token, ${lease.token}) for update),
    made as materialized (select * from unnest(${records.map(({ stream }) => stream)}::text[],
      ${records.map(({ id }) => id)}::text[], ${records.map(({ why }) => why)}::text[]) n(stream, id, why)),
    gone as (delete from sample_records s using held where s.import_id = ${importId} and s.why <> 'added'
      and not exists (select 1 from made n where n.stream = s.stream and n.id = s.source_id)),
    put as (insert into sample_records (import_id, stream, source_id, why)
      select ${importId}, n.stream, n.id, n.why from held, made n
      on conflict (import_id, stream, source_id) do update set
        why = case when sample_records.why = 'added' then 'added' else excluded.why end),
    reviewed as (insert into sample_reviews (import_id, coverage) select ${importId}, ${sealed} from held
      on conflict (import_id) do update set coverage = excluded.coverage, work = null, made_at = now()),
    forgotten as (delete from sample_results r using held where r.import_id = ${importId}
      and not exists (select 1 from made n where n.stream = r.stream and n.id = r.source_id)
      and not exists (select 1 from sample_records s where s.import_id = ${importId} and s.stream = r.stream
        and s.source_id = r.source_id and s.why = 'added'))
    select exists (select 1 from held) as held`.execute(db.sql);
  return rows[0]?.held === true;
};

/** What the last sample shows and what it does not. Undefined: there is none, or it was erased. */
export const findSampleCoverage = async (
  db: Database,
  sealer: Sealer,
  importId: string,
): Promise<SampleCoverage | undefined> => {
  const text = await openText(db, sealer, importId, "coverage");
  if (text === null) return undefined;
  const coverage = JSON.parse(text) as SampleCoverage;
  // An earlier release stored none.
  return { ...coverage, chosen: coverage.chosen.map((each) => ({ ...each, title: each.title ?? null })) };
};

/** Records that people added, in the order of their ids. */
export const listAdded = async (
  db: Database,
  importId: string,
): Promise<readonly { readonly stream: string; readonly id: string }[]> => {
  const rows = await db.sql
    .selectFrom("sampleRecords")
    .select(["stream", "sourceId as id"])
    .where("importId", "=", importId)
    .where("why", "=", "added")
    .orderBy("stream")
    .orderBy("sourceId")
    .execute();
  return rows;
};

/** `full`: the maximum is reached. `busy`: a sample is being made, which would take it without what it needs. */
export const insertAdded = async (
  db: Database,
  importId: string,
  { stream, id }: { readonly stream: string; readonly id: string },
  most: number,
): Promise<"added" | "full" | "busy"> =>
  db.sql.transaction().execute(async (tx) => {
    // Of two concurrent calls, the second counts the first.
    await tx.selectFrom("imports").select("id").where("id", "=", importId).forUpdate().execute();
    const live = await tx
      .selectFrom("runs")
      .select("id")
      .where("importId", "=", importId)
      .where("kind", "=", "sample")
      .where("endedAt", "is", null)
      .executeTakeFirst();
    if (live) return "busy";
    const { count } = await countOthers(tx, importId, { stream, id });
    if (count >= most) return "full";
    await tx
      .insertInto("sampleRecords")
      .values({ importId, stream, sourceId: id, why: "added" })
      .onConflict((conflict) =>
        conflict.columns(["importId", "stream", "sourceId"]).doUpdateSet({ why: "added" }),
      )
      .execute();
    // If the sample had it because others needed it, its parts are missing: the next one is chosen anew (`findKeptSample`).
    await tx
      .updateTable("sampleResults")
      .set({ runNumber: 0 })
      .where("importId", "=", importId)
      .where("stream", "=", stream)
      .where("sourceId", "=", id)
      .execute();
    return "added";
  });

const countOthers = (tx: Transaction, importId: string, { stream, id }: { stream: string; id: string }) =>
  tx
    .selectFrom("sampleRecords")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("importId", "=", importId)
    .where("why", "=", "added")
    .where(({ not, and, eb }) => not(and([eb("stream", "=", stream), eb("sourceId", "=", id)])))
    .executeTakeFirstOrThrow();

/** Erases reviews past their retention, with their copies of records; answers the number of reviews. */
export const eraseOldSamples = async (db: Database, olderThanDays: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from sample_reviews where import_id in (select import_id from sample_reviews
      where made_at < now() - make_interval(days => ${olderThanDays}) order by made_at limit 100)`.execute(
    db.sql,
  );
  return Number(numAffectedRows);
};
