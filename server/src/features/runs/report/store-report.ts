import { sql } from "kysely";
import type { Database } from "../../../platform/db.ts";
import type { Counts, Tallies } from "../chunk/lease.ts";
import type { RunKind, Task } from "../run.ts";

export interface ReportedPart extends Counts {
  readonly task: Task;
  readonly stream: string;
  readonly expected: number | null;
  readonly sweptBy: number | null;
  readonly oneOf: number | null;
  readonly tallies: Tallies;
}

/** The last run that verified its copies, and the data of its report. */
export interface ReportedRun {
  readonly id: string;
  readonly number: number;
  readonly kind: RunKind;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly leaf: string;
  readonly undone: boolean;
  readonly parts: readonly ReportedPart[];
  /** The sweep that counted the source: of this run, or of the one before a retry. */
  readonly swept: readonly ReportedPart[];
  /** What was written since the destination was empty, and how fields changed. */
  readonly written: readonly { readonly stream: string; readonly tallies: Tallies }[];
}

const partColumns = sql`json_build_object('task', p.task, 'stream', p.stream, 'expected', p.expected,
  'sweptBy', p.slice -> 'sweptBy', 'oneOf', p.slice -> 'oneOf', 'read', p.read, 'created', p.created,
  'updated', p.updated, 'matched', p.matched, 'skipped', p.skipped, 'failed', p.failed, 'removed', p.removed,
  'kept', p.kept, 'tallies', p.tallies)`;

type Row = Omit<ReportedRun, "swept" | "written" | "parts"> & { parts: ReportedPart[] | null };

const findRun = async (db: Database, importId: string): Promise<Row | undefined> => {
  const { rows } = await sql<Row>`
    select r.id, r.number, r.kind, r.started_at, r.ended_at, r.ledger_leaf as leaf,
      exists (select 1 from runs u where u.import_id = ${importId} and u.number > r.number and u.kind = 'undo'
        and u.state = 'done') as undone,
      (select json_agg(${partColumns} order by p.no) from partitions p
       where p.run_id = r.id and p.task in ('prepare', 'copy', 'verify')) as parts
    from runs r where r.import_id = ${importId} and r.state = 'done' and r.kind <> 'undo'
    order by r.number desc limit 1`.execute(db.sql);
  return rows[0];
};

const findSweep = async (
  db: Database,
  importId: string,
  number: number,
): Promise<readonly ReportedPart[]> => {
  const { rows } = await sql<{ parts: ReportedPart[] | null }>`
    select (select json_agg(${partColumns}) from partitions p where p.run_id = r.id and p.task = 'sweep') as parts
    from runs r where r.import_id = ${importId} and r.number = ${number}`.execute(db.sql);
  return rows[0]?.parts ?? [];
};

const listWritten = async (db: Database, importId: string, upTo: number): Promise<ReportedRun["written"]> => {
  const { rows } = await sql<ReportedRun["written"][number]>`
    select p.stream, p.tallies from partitions p join runs r on r.id = p.run_id
    where r.import_id = ${importId} and p.task in ('copy', 'sweep', 'link') and p.tallies <> '{}' and r.number <= ${upTo}
      and r.number > coalesce((select max(u.number) from runs u
        where u.import_id = ${importId} and u.kind = 'undo' and u.state = 'done' and u.number < ${upTo}), 0)`.execute(
    db.sql,
  );
  return rows;
};

/** Undefined: no copy has completed yet. */
export const findReportedRun = async (db: Database, importId: string): Promise<ReportedRun | undefined> => {
  const run = await findRun(db, importId);
  if (!run) return undefined;
  const parts = run.parts ?? [];
  const sweptBy = parts.find((part) => part.task === "verify" && part.sweptBy !== null)?.sweptBy ?? null;
  return {
    ...run,
    parts,
    swept: sweptBy === null ? [] : await findSweep(db, importId, sweptBy),
    written: await listWritten(db, importId, run.number),
  };
};
