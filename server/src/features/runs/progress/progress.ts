import type { Database } from "../../../platform/db.ts";
import { type Counted, type Figures, type RunFinding, isPaid } from "../../imports/index.ts";
import { estimateEnd, type Quota } from "./estimate-end.ts";
import { foldRun } from "./fold-run.ts";
import { measureStreams, type StreamMeasure } from "./measure-run.ts";
import type { Refusals, RunKind, Side, Task } from "../run.ts";
import { isEnded, type RunGroup } from "./run-group.ts";
import { readStandings, type Standing, type StandingRow } from "./store-progress.ts";

/** How far the live run has come. */
export interface RunProgress {
  readonly phase: RunKind;
  readonly state: "running" | "paused" | "waiting" | "stopping";
  /** The side on which a person must sign in again. */
  readonly waitingFor: Side | null;
  /** Why it is paused, if no person paused it. */
  readonly refusals: Refusals | null;
  /** The current task. */
  readonly step: Task;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
  /** The correction of the total since the start, because the source's number was wrong. */
  readonly corrected: number;
  /** Records a minute; null: nothing measured yet, or nothing moves. */
  readonly perMinute: number | null;
  readonly etaSeconds: number | null;
  /** Null: requested, but not begun. */
  readonly startedAt: Date | null;
  readonly streams: readonly StreamMeasure[];
}

/** The current state of an import. */
export interface ImportSummary extends Counted, Standing {
  readonly family: StandingRow["family"];
  /** Whether the full migration is paid for. */
  readonly paid: boolean;
  readonly linkMark: string;
  readonly findings: readonly RunFinding[];
  /** Only while a run is live. */
  readonly progress: RunProgress | null;
}

const stateOf = ({ run, stopping }: StandingRow): RunProgress["state"] => {
  if (stopping || run?.wanted === "stop") return "stopping";
  if (run?.wanted === "pause") return "paused";
  return run?.state === "waiting" ? "waiting" : "running";
};

const stepOf = (groups: readonly RunGroup[]): Task => {
  const inOrder = groups.toSorted((a, b) => a.step - b.step);
  const now = inOrder.find(({ running }) => running) ?? inOrder.find((group) => !isEnded(group));
  // All of it may have ended a moment before the run itself.
  return (now ?? inOrder.at(-1))?.task ?? "prepare";
};

const sum = (streams: readonly StreamMeasure[], of: (stream: StreamMeasure) => number) =>
  streams.reduce((total, stream) => total + of(stream), 0);

const speedOf = (groups: readonly RunGroup[]): number | null => {
  const measured = groups.flatMap(({ pace }) => (pace === null ? [] : [pace]));
  return measured.length === 0 ? null : Math.round(measured.reduce((a, b) => a + b, 0) * 60);
};

/** Pure: from one reading to what is shown of it. */
export const progressFrom = (row: StandingRow, quota: Quota | null = null): RunProgress | null => {
  const { run, liveKind, groups, figures } = row;
  const phase = run?.kind ?? liveKind;
  if (phase === null) return null;
  const streams = measureStreams(phase, groups, figures);
  const state = stateOf(row);
  const moves = state === "running";
  return {
    phase,
    state,
    waitingFor: state === "waiting" ? (run?.waitingFor ?? null) : null,
    refusals: state === "paused" ? (run?.refusals ?? null) : null,
    step: stepOf(groups),
    done: sum(streams, ({ done }) => done),
    failed: sum(streams, ({ failed }) => failed),
    skipped: sum(streams, ({ skipped }) => skipped),
    total: sum(streams, ({ total }) => total),
    corrected: sum(streams, ({ corrected }) => corrected),
    perMinute: moves ? speedOf(groups) : null,
    etaSeconds: moves ? estimateEnd(phase, groups, { streams, quota }) : null,
    startedAt: run?.startedAt ?? null,
    streams,
  };
};

const standingFrom = (row: StandingRow, quota: Quota | null): ImportSummary => {
  const { run, family, groups, tallies, figures: before } = row;
  const figures: Figures = run
    ? foldRun(before, { kind: run.kind, family, groups, tallies, ended: false })
    : before;
  return {
    ...figures,
    status: row.status,
    family,
    closed: row.closed,
    sponsorship: row.sponsorship,
    activeAt: row.activeAt,
    warnings: row.warnings,
    paid: isPaid(row),
    linkMark: row.linkMark,
    progress: progressFrom(row, quota),
  };
};

/** The known quota of an import's destination, without waiting. */
export type QuotaOf = (importId: string) => Quota | null;

/**
 * The state of imports, with the progress of live runs, in one query for all of them. `causes`: also loads the
 * findings and warnings; without it both are empty.
 */
export const progressOf = async (
  db: Database,
  importIds: readonly string[],
  { causes = false, quotaOf = () => null }: { causes?: boolean; quotaOf?: QuotaOf } = {},
): Promise<ReadonlyMap<string, ImportSummary>> => {
  const rows = await readStandings(db, importIds, causes);
  return new Map(
    rows.map((row) => {
      const standing = standingFrom(row, quotaOf(row.importId));
      return [row.importId, causes ? standing : { ...standing, findings: [] }];
    }),
  );
};
