import type { RetrySlice } from "../copy/page-reader.ts";
import type { ParentsSlice } from "../copy/read-source.ts";
import type { TouchedSweep } from "../verify/sweep-touched.ts";
import { checkOnly, namedStays, removalOrder } from "../undo/removal-order.ts";
import type { LimitedRetry } from "../lifecycle/store-runs.ts";
import type { NewPartition, RunKind, Task } from "../run.ts";
import type { StreamPair } from "../chunk/chunk-context.ts";

/** What is known of a stream before it is copied. */
export interface PlannedStream {
  readonly pair: StreamPair;
  /** Cursors at which its parts begin; empty: it is read as a whole. */
  readonly slices: readonly unknown[];
  readonly expected: number | null;
}

/** How many parts of a stream are read in parallel. */
export interface Parallel {
  readonly parallelPartitions: number;
  /** A part is given this many records, or parents to read by, before there is another: each costs as much to begin and to end. */
  readonly recordsPerPartition: number;
}

export interface PlanOptions extends Parallel {
  readonly kind: RunKind;
  /** The last run whose sweep counted the source; null: none has. */
  readonly sweptBy: number | null;
  /** The streams that it swept: it did not take others. */
  readonly swept: ReadonlySet<string>;
  readonly runNumber: number;
  /** All streams that an earlier sample may have copied, selected now or not. */
  readonly everyStream: readonly StreamPair[];
  /** How many copies are read back per stream; of more, an even selection. A delta takes a tenth of it. */
  readonly verifyAtMost: number;
  /** Whether the import may have created fields in the destination. */
  readonly hasFields: boolean;
  /** Whether there are canaries to write or to remove. */
  readonly hasCanaries: boolean;
  /** Of a sample whose choice of an earlier one stays: how many records it has, by stream; null: it is chosen anew. */
  readonly keptSample: ReadonlyMap<string, number> | null;
  /** The streams of people who are matched otherwise than in the run before. */
  readonly rematched: ReadonlySet<string>;
  /** What a retry is limited to; null: it takes up everything that failed. */
  readonly limits: LimitedRetry | null;
}

type Draft = Omit<NewPartition, "step">;

const draft = (task: Task, stream: string, slice: unknown = null, expected: number | null = null): Draft => ({
  task,
  stream,
  slice,
  expected,
});

/** Into how many parts a stream is split; null: its size is not known. */
export const partsFor = (
  expected: number | null,
  { parallelPartitions, recordsPerPartition }: Parallel,
): number =>
  expected === null
    ? parallelPartitions
    : Math.max(1, Math.min(parallelPartitions, Math.ceil(expected / recordsPerPartition)));

const parentSlices = (parts: number): readonly ParentsSlice[] =>
  Array.from({ length: parts }, (_, index) => ({ parts, index }));

/**
 * Whether a delta reads the stream by the parents that it touched: those in their list of changes since the last run, which must
 * have counted all of the stream.
 */
const isReadByTouched = (
  { pair: { name, from } }: PlannedStream,
  { kind, swept }: Pick<PlanOptions, "kind" | "swept">,
  planned: readonly PlannedStream[],
): boolean =>
  kind === "delta" &&
  swept.has(name) &&
  from.changesWithParent === true &&
  planned.some(({ pair }) => pair.name === from.perParent && pair.from.delta);

const copies = (
  { pair, slices, expected: all }: PlannedStream,
  streams: readonly PlannedStream[],
  options: PlanOptions,
  byTouched: boolean,
): readonly Draft[] => {
  const { kind } = options;
  const parent = streams.find(({ pair: { name } }) => name === pair.from.perParent);
  const parents = parentSlices(partsFor(parent?.expected ?? null, options));
  const parts =
    pair.from.perParent === undefined
      ? slices
      : byTouched
        ? parents.map((slice) => ({ ...slice, touched: true }))
        : parents;
  // The number of changes is not known beforehand.
  const expected = kind === "delta" && pair.from.delta ? null : all;
  // The first part carries the expected number of the whole stream.
  return parts.length === 0
    ? [draft("copy", pair.name, null, expected)]
    : parts.map((slice, index) => draft("copy", pair.name, slice, index === 0 ? expected : null));
};

/**
 * The copies of a retry. One that is limited to causes also takes up what was left out because it can't be without one of those
 * records: a part of it, or a deal of a pipeline. Streams are in the order of copying, so that those come first.
 */
const retries = (
  streams: readonly PlannedStream[],
  { limits, rematched }: Pick<PlanOptions, "limits" | "rematched">,
): readonly (readonly Draft[])[] => {
  const withPeople = (name: string, drafts: readonly Draft[]) =>
    rematched.has(name) ? [draft("copy", name, { codes: [], unmatched: true } satisfies RetrySlice)] : drafts;
  if (!limits) return streams.map(({ pair: { name } }) => withPeople(name, [draft("copy", name)]));
  const { causes, found } = limits;
  const taken = new Map<string, Set<string>>();
  for (const { stream, code } of causes)
    taken.set(stream, (taken.get(stream) ?? new Set<string>()).add(code));
  return streams.map(({ pair: { name, from } }) => {
    const needsTaken = Object.values(from.stream.relations).some(
      ({ to, missing }) => missing === "skip" && to.some((target) => taken.has(target)),
    );
    if (needsTaken) taken.set(name, (taken.get(name) ?? new Set<string>()).add("parent_missing"));
    const codes = [...(taken.get(name) ?? [])];
    const expected = found
      .filter(({ stream, code }) => stream === name && codes.includes(code))
      .reduce((sum, { count }) => sum + count, 0);
    // Records that failed for want of a person find one only if people are looked at first.
    return withPeople(
      name,
      codes.length === 0 ? [] : [draft("copy", name, { codes } satisfies RetrySlice, expected)],
    );
  });
};

const numbered = (steps: readonly (readonly Draft[])[]): readonly NewPartition[] =>
  steps
    .filter((step) => step.length > 0)
    .flatMap((step, index) => step.map((each) => ({ ...each, step: index + 1 })));

/** The steps of a run: each begins when all partitions of the previous one have ended. */
export const planRun = (streams: readonly PlannedStream[], options: PlanOptions): readonly NewPartition[] => {
  const { kind, runNumber, verifyAtMost } = options;
  const names = streams.map(({ pair }) => pair.name);
  const removals = (of: readonly StreamPair[]) =>
    removalOrder(of).map(({ stream, aim }) => [
      draft("remove", stream, aim === checkOnly ? checkOnly : null),
    ]);
  const sweptBy = kind === "full" || kind === "delta" ? runNumber : options.sweptBy;
  // A delta compares all that it wrote, and of the others fewer: the run before it compared those.
  const most = kind === "delta" ? Math.ceil(verifyAtMost / 10) : verifyAtMost;
  // Else the choice counts them when it ends.
  const sampled = (name: string) => (options.keptSample ? (options.keptSample.get(name) ?? 0) : null);
  const verify = streams.map(({ pair, expected }) =>
    draft(
      "verify",
      pair.name,
      {
        sweptBy: kind === "sample" ? null : sweptBy,
        // The source's number does not apply to a sample, which is verified completely.
        oneOf: kind === "sample" ? 1 : Math.max(1, Math.ceil((expected ?? 0) / most)),
      },
      kind === "sample" ? sampled(pair.name) : expected,
    ),
  );
  const byTouched = (facts: PlannedStream) => isReadByTouched(facts, options, streams);
  const sweeps = streams.map((facts) => [
    draft(
      "sweep",
      facts.pair.name,
      byTouched(facts)
        ? ({ parts: 1, index: 0, touched: true, sweptBefore: options.sweptBy ?? 0 } satisfies TouchedSweep)
        : null,
      facts.expected,
    ),
  ]);
  const links = names.map((name) => draft("link", name));
  const silence = options.hasCanaries ? [draft("silence", "")] : [];
  switch (kind) {
    case "undo":
      return numbered([
        ...removals(streams.map(({ pair }) => pair)),
        // A canary that the tool keeps holds up nothing of the customer's; it is found by the fields that go last.
        silence,
        options.hasFields ? [draft("remove_fields", "")] : [],
      ]);
    case "sample":
      return numbered([
        options.keptSample ? [] : [draft("choose", "")],
        ...names.map((name) => [draft("copy", name, null, sampled(name))]),
        // What left the sample goes when the copies that named it name others, and stays if one still does.
        names.map((name) => draft("remove", name, namedStays)),
        ...removals(options.everyStream),
        links,
        verify,
      ]);
    case "retry_failed":
      return numbered([...retries(streams, options), links, verify]);
    case "full":
    case "delta":
      return numbered([
        silence,
        ...streams.map((facts) => copies(facts, streams, options, byTouched(facts))),
        ...sweeps,
        links,
        verify,
      ]);
  }
};
