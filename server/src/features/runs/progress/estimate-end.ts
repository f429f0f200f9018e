import type { StreamMeasure } from "./measure-run.ts";
import { isEnded, type RunGroup } from "./run-group.ts";
import type { RunKind } from "../run.ts";

/** What is known of the destination's account. */
export interface Quota {
  readonly requestsPerMinute: number;
  /** How many records of a stream go with one request. */
  recordsPerRequest(stream: string): number;
}

/** Beyond this, no estimate is given. */
const longestSeconds = 60 * 24 * 3_600;

/** Rounds as people plan: up to two minutes in steps of five seconds, then by the minute, then by five. */
const rounded = (seconds: number): number => {
  const step = seconds <= 120 ? 5 : seconds <= 7_200 ? 60 : 300;
  return Math.ceil(seconds / step) * step;
};

/** Work that can be counted in records; removing an earlier sample's rest is not counted. */
const isCountable = ({ task }: RunGroup, phase: RunKind): boolean =>
  task === "remove" ? phase === "undo" : task === "copy" || task === "sweep" || task === "verify";

interface Run {
  readonly phase: RunKind;
  readonly groups: readonly RunGroup[];
  readonly streams: ReadonlyMap<string, StreamMeasure>;
}

const openOf = ({ total, done, failed, skipped }: StreamMeasure) =>
  Math.max(0, total - done - failed - skipped);

/** Records of a group still to come; null: unknown. */
const leftOf = (group: RunGroup, { phase, streams }: Run): number | null => {
  if (isEnded(group)) return 0;
  const stream = streams.get(group.stream);
  if (group.task === "remove" || (group.task === "copy" && phase === "retry_failed"))
    return stream ? openOf(stream) : null;
  const known = group.task === "copy" ? null : (stream?.total ?? null);
  const all = group.expected ?? known;
  return all === null ? null : Math.max(0, all - group.read);
};

/** Records a second: as measured now, else as groups of the same task went in this run, else as any group went. */
const paceFor = (group: RunGroup, { phase, groups }: Run): number | null => {
  if (group.running && group.pace !== null) return group.pace > 0 ? group.pace : null;
  const average = (of: readonly RunGroup[]) => {
    const seconds = of.reduce((sum, each) => sum + each.seconds, 0);
    const read = of.reduce((sum, each) => sum + each.read, 0);
    return seconds >= 1 && read > 0 ? read / seconds : null;
  };
  const others = groups.filter((each) => each !== group && each.read > 0 && isCountable(each, phase));
  return (
    average(others.filter(({ task }) => task === group.task)) ??
    // Copying takes longest, so this estimate is not too short.
    average(others.filter(({ task }) => task === "copy")) ??
    others.find(({ running, pace }) => running && pace !== null && pace > 0)?.pace ??
    null
  );
};

const byQuota = (run: Run, quota: Quota): number | null => {
  let requests = 0;
  for (const group of run.groups.filter(({ task }) => task === "copy" || task === "remove")) {
    const left = isCountable(group, run.phase) ? leftOf(group, run) : 0;
    if (left === null) return null;
    requests += left / Math.max(1, quota.recordsPerRequest(group.stream));
  }
  return quota.requestsPerMinute > 0 ? (requests / quota.requestsPerMinute) * 60 : null;
};

const bySpeed = (run: Run): number | null => {
  const steps = new Map<number, number>();
  for (const group of run.groups) {
    if (isEnded(group)) continue;
    if (!isCountable(group, run.phase)) {
      // The amount of linking, or of choosing, shows only during the work.
      if (group.running) return null;
      continue;
    }
    const left = leftOf(group, run);
    if (left === null) return null;
    if (left === 0) continue;
    const pace = paceFor(group, run);
    if (pace === null) return null;
    // Groups of a step run in parallel, steps one after the other.
    steps.set(group.step, Math.max(steps.get(group.step) ?? 0, left / pace));
  }
  return [...steps.values()].reduce((sum, seconds) => sum + seconds, 0);
};

/**
 * Seconds until a run ends, or null if no honest estimate exists. Uses the measured speed, and never less than the
 * account's quota takes; before anything is measured, the quota alone.
 */
export const estimateEnd = (
  phase: RunKind,
  groups: readonly RunGroup[],
  { streams, quota }: { readonly streams: readonly StreamMeasure[]; readonly quota: Quota | null },
): number | null => {
  // The end of an uncounted stream is unknown, even with a quota: a sweep may be all that is left of it.
  if (streams.length === 0 || streams.some(({ uncertain }) => uncertain)) return null;
  const run: Run = { phase, groups, streams: new Map(streams.map((each) => [each.stream, each])) };
  const least = quota === null ? null : byQuota(run, quota);
  const likely = bySpeed(run);
  const begun = groups.some((group) => isCountable(group, phase) && group.read > 0);
  const seconds = likely === null ? (begun ? null : least) : Math.max(likely, least ?? 0);
  return seconds === null || !Number.isFinite(seconds) || seconds > longestSeconds ? null : rounded(seconds);
};
