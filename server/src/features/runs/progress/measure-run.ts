import type { Figures } from "../../imports/index.ts";
import { isEnded, type RunGroup, settledCount } from "./run-group.ts";
import type { RunKind } from "../run.ts";

/** How far one stream has come. Done, skipped and failed add up to the total when it has ended. */
export interface StreamMeasure {
  readonly stream: string;
  readonly state: "waiting" | "running" | "ended";
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
  /** The correction of the total against the source's statement: a total moves only together with this. */
  readonly corrected: number;
  /** The source did not state a number, or part of the work was given up. */
  readonly uncertain: boolean;
}

interface Part {
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
}

const nothing: Part = { done: 0, failed: 0, skipped: 0 };

/** The same for read records: neither skipped nor failed means done, even if nothing had to be written. */
const partOf = ({ skipped, failed }: RunGroup, handled: number): Part => ({
  done: Math.max(0, handled - skipped - failed),
  failed,
  skipped,
});

const add = (one: Part, other: Part): Part => ({
  done: one.done + other.done,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
});

const handledBy = (copy: RunGroup) => Math.max(copy.read, settledCount(copy));

const stateOf = (groups: readonly RunGroup[]): StreamMeasure["state"] => {
  if (groups.every(isEnded)) return "ended";
  return groups.some(({ running, read }) => running || read > 0) ? "running" : "waiting";
};

const finish = (
  stream: string,
  part: Part,
  { state, expected, given }: { state: StreamMeasure["state"]; expected: number | null; given: boolean },
): StreamMeasure => {
  const handled = part.done + part.failed + part.skipped;
  // A partition stopped midway did not see everything.
  const total = state === "ended" && !given ? handled : Math.max(expected ?? 0, handled);
  return {
    stream,
    state,
    ...part,
    total,
    corrected: expected === null ? 0 : total - expected,
    uncertain: given || (expected === null && state !== "ended"),
  };
};

const measureRemoved = (stream: string, group: RunGroup, before: Figures): StreamMeasure =>
  finish(
    stream,
    { done: group.removed, failed: group.failed, skipped: group.kept },
    { state: stateOf([group]), expected: before.items[stream] ?? 0, given: group.stopped },
  );

/** What a retry takes up: failed records, and those skipped because of a missing parent. */
const retryable = (stream: string, { findings }: Figures): number =>
  findings.reduce(
    (total, each) =>
      each.stream === stream &&
      (each.kind === "failed" || (each.kind === "skipped" && each.code === "parent_missing"))
        ? total + each.count
        : total,
    0,
  );

const measureCopied = (
  stream: string,
  copy: RunGroup,
  sweep: RunGroup | undefined,
  { kind, before }: { kind: RunKind; before: Figures },
): StreamMeasure => {
  const copied = partOf(copy, handledBy(copy));
  const caught = sweep ? partOf(sweep, settledCount(sweep)) : nothing;
  const both = add(copied, caught);
  if (kind !== "delta" || !sweep) {
    // A retry that is limited to causes has planned how many.
    const expected = copy.expected ?? (kind === "retry_failed" ? retryable(stream, before) : null);
    return finish(stream, both, { state: stateOf([copy]), expected, given: copy.stopped });
  }
  // A delta reads the changes, then checks that all the rest is there: that is its progress through the source.
  const seen = isEnded(sweep) ? sweep.read - settledCount(sweep) : sweep.read;
  const looked = Math.max(0, seen - both.failed - both.skipped);
  return finish(
    stream,
    { ...both, done: Math.max(both.done, looked) },
    {
      state: stateOf([copy, sweep]),
      expected: sweep.expected,
      given: copy.stopped || sweep.stopped,
    },
  );
};

/** How far each stream of a run has come, in the order of copying or removing. */
export const measureStreams = (
  kind: RunKind,
  groups: readonly RunGroup[],
  before: Figures,
): readonly StreamMeasure[] => {
  const main = groups
    .filter(({ task }) => task === (kind === "undo" ? "remove" : "copy"))
    .toSorted((a, b) => a.step - b.step);
  return main.map((group) => {
    const { stream } = group;
    if (kind === "undo") return measureRemoved(stream, group, before);
    const sweep = groups.find((each) => each.task === "sweep" && each.stream === stream);
    return measureCopied(stream, group, sweep, { kind, before });
  });
};
