// Hot: the API and the wizard's live pages read the state of imports all the time.
import type { Family, Sponsorship, StatusCode, Warning } from "@portage/contract";
import type { Database } from "../../../platform/db.ts";
import {
  type Figures,
  type RunFinding,
  type RunKind as Kind,
  toCounted,
  warningsOfImport,
} from "../../imports/index.ts";
import type { GroupTallies, LiveRun, RunGroup } from "./run-group.ts";
import type { RunKind } from "../run.ts";
import { paceSum } from "../ledger/store-pace.ts";

/** The sums of the run `r`, by task and stream. A partition that has not started counts only as expected. */
export const groupsOfRun = `select json_agg(g) from (
  select p.task, p.stream, min(p.step) as step, bool_or(p.state = 'running') as running,
    bool_or(p.state = 'waiting') as waiting, bool_or(p.state = 'stopped') as stopped, sum(p.expected) as expected,
    sum(p.read) as read, sum(p.created) as created, sum(p.updated) as updated, sum(p.matched) as matched,
    sum(p.skipped) as skipped, sum(p.failed) as failed, sum(p.removed) as removed, sum(p.kept) as kept,
    ${paceSum} as pace,
    coalesce(extract(epoch from case when bool_or(p.state in ('running', 'waiting')) then now()
      else max(p.ended_at) end - min(p.started_at)), 0)::float8 as seconds
  from partitions p where p.run_id = r.id group by p.task, p.stream) g`;

/** The tallies of the run `r`. */
export const talliesOfRun = `select json_agg(json_build_object('task', p.task, 'stream', p.stream,
    'tallies', p.tallies)) from partitions p where p.run_id = r.id and p.tallies <> '{}'`;

/** What an import's row says of it, with its warnings. */
export interface Standing {
  readonly status: StatusCode;
  readonly closed: boolean;
  readonly sponsorship: Sponsorship;
  readonly activeAt: Date;
  /** Only if asked for, with the findings. */
  readonly warnings: readonly Warning[];
}

/** An import and its live run, in one snapshot. */
export interface StandingRow extends Standing {
  readonly importId: string;
  readonly family: Family;
  readonly bought: boolean;
  /** A run was requested; it may not have begun. */
  readonly liveKind: RunKind | null;
  readonly stopping: boolean;
  /** Changes with the customer's link. */
  readonly linkMark: string;
  readonly figures: Figures;
  readonly run: LiveRun | null;
  readonly groups: readonly RunGroup[];
  readonly tallies: readonly GroupTallies[];
}

interface Row {
  id: string;
  family: Family;
  status: StatusCode;
  closed: boolean;
  sponsorship: Sponsorship;
  activeAt: Date;
  warnings: Warning[] | null;
  bought: boolean;
  liveKind: Kind | null;
  stopping: boolean;
  linkMark: string;
  items: Record<string, number>;
  sourcePeople: number;
  destinationPeople: number;
  matchedPeople: number;
  findings: RunFinding[] | null;
  runId: string | null;
  kind: LiveRun["kind"];
  state: LiveRun["state"];
  wanted: LiveRun["wanted"];
  waitingFor: LiveRun["waitingFor"];
  refusals: LiveRun["refusals"];
  startedAt: Date;
  groups: RunGroup[] | null;
  tallies: GroupTallies[] | null;
}

const toStandingRow = (row: Row): StandingRow => ({
  importId: row.id,
  family: row.family,
  status: row.status,
  closed: row.closed,
  sponsorship: row.sponsorship,
  activeAt: row.activeAt,
  warnings: row.warnings ?? [],
  bought: row.bought,
  liveKind: row.liveKind,
  stopping: row.stopping,
  linkMark: row.linkMark,
  figures: { ...toCounted(row), findings: row.findings ?? [] },
  run:
    row.runId === null
      ? null
      : {
          id: row.runId,
          kind: row.kind,
          state: row.state,
          wanted: row.wanted,
          waitingFor: row.waitingFor,
          refusals: row.refusals,
          startedAt: row.startedAt,
        },
  groups: row.groups ?? [],
  tallies: row.tallies ?? [],
});

/**
 * The state of imports, in one query for all of them: the figures of ended runs, and the sums of the live run's
 * partitions. One snapshot for both, so that a run that ends meanwhile counts once. `causes`: with the findings and warnings.
 */
export const readStandings = async (
  db: Database,
  importIds: readonly string[],
  causes: boolean,
): Promise<readonly StandingRow[]> => {
  if (importIds.length === 0) return [];
  const { rows } = await db.pool.query<Row>({
    name: "read-standings",
    text: `select i.id, i.family, i.status, i.closed is not null as closed, i.live_run as "liveKind",
             i.sponsorship, i.active_at as "activeAt", case when $2 then (${warningsOfImport}) end as warnings,
             coalesce((select sum(e.amount) > 0 from money_entries e where e.import_id = i.id and e.account = 'customer_paid'), false) as bought,
             i.stopping is not null as stopping, encode(sha256(i.link_token), 'hex') as "linkMark", i.items,
             i.source_people as "sourcePeople", i.destination_people as "destinationPeople",
             i.matched_people as "matchedPeople",
             case when $2 or r.kind = 'retry_failed' then i.findings end as findings, r.id as "runId", r.kind, r.state,
             r.wanted, r.waiting_for as "waitingFor", r.refusals, r.started_at as "startedAt",
             case when r.id is not null then (${groupsOfRun}) end as groups,
             case when r.id is not null and $2 then (${talliesOfRun}) end as tallies
           from unnest($1::text[]) u(id)
           cross join lateral (select * from imports where imports.id = u.id offset 0) i
           left join lateral (select * from runs where runs.import_id = u.id and runs.ended_at is null offset 0) r
             on true`,
    values: [importIds, causes],
  });
  return rows.map(toStandingRow);
};
