import type { ChunkContext, RunMapping, StreamPair } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import type { LeftKind, TallyBook } from "../chunk/tallies.ts";
import type { TaskEnd } from "../chunk/task.ts";
import { forgetKept } from "../ledger/store-ledger.ts";
import { beginRemoving } from "../ledger/store-shared-accounts.ts";
import { findLimits, lastSweep, revisionBefore } from "../lifecycle/store-runs.ts";
import type { ChooseMapping } from "./choose-mapping.ts";
import { type Parallel, partsFor, planRun, type PlannedStream } from "./plan.ts";
import { keepOldLinks } from "../old-links/keep-old-links.ts";
import { setUpFields } from "./set-up-fields.ts";
import { findKeptSample } from "../sample/store-kept-sample.ts";
import { listFields } from "../ledger/store-fields.ts";
import { isConnectorError, type SourceStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { canaryStreams, type SilenceNeeds } from "../silence/measured-by.ts";
import { listOpenChecks } from "../silence/store-silence.ts";

export interface PrepareLimits extends Parallel {
  readonly verifyAtMost: number;
}

export interface PrepareNeeds extends PrepareLimits {
  readonly chooseMapping: ChooseMapping;
  readonly loadMapping: (importId: string, revision: number, family: Family) => Promise<RunMapping>;
  readonly silence: Pick<SilenceNeeds, "mailbox">;
}

/** Whether a full run measures silence first, and whether canaries of an earlier run may still be there. */
const hasCanaries = async (
  { db, lease, destination }: ChunkContext,
  silence: PrepareNeeds["silence"],
): Promise<boolean> =>
  (lease.kind === "full" && canaryStreams(destination.connector, lease.family, silence).length > 0) ||
  (destination.connector.silence !== undefined && (await listOpenChecks(db, lease.importId)).length > 0);

/** Null: the source refuses. The copy does not depend on counts and slices. */
const orNull = async <T>(ask: () => Promise<T>): Promise<T | null> => {
  try {
    return await ask();
  } catch (error) {
    if (isConnectorError(error) && error.recovery === "skip-record") return null;
    throw error;
  }
};

/** How a tool says that this account may not read a list, or that there is none. */
const notAllowed: ReadonlySet<unknown> = new Set([403, 404]);

/** Whether this account may read the stream at all: asks for its first record. */
const isAllowed = async (ctx: ChunkContext, from: SourceStream): Promise<boolean> => {
  if (from.perParent !== undefined) return true;
  const first = { cursor: null, since: null, parentId: null, size: 1 };
  try {
    await onSide("source", () => from.readPage(ctx.source.io(ctx.signal), first));
    return true;
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    // Anything else may concern that record alone, or pass: the copy finds out.
    return !(error.recovery === "skip-record" && notAllowed.has(error.status));
  }
};

const factsOf = async (ctx: ChunkContext, pair: StreamPair, parallel: Parallel): Promise<PlannedStream> => {
  const { kind } = ctx.lease;
  if (kind === "undo") return { pair, slices: [], expected: null };
  const io = ctx.source.io(ctx.signal);
  const counted = await orNull(() => onSide("source", async () => pair.from.count?.(io)));
  const expected = counted?.value ?? null;
  const parts = partsFor(expected, parallel);
  const sliced = (kind === "full" || kind === "delta") && pair.from.perParent === undefined && parts > 1;
  const slices = sliced
    ? await orNull(() => onSide("source", async () => pair.from.slices?.(io, parts)))
    : null;
  return { pair, slices: slices ?? [], expected };
};

/** The streams of people whom the customer matched otherwise since the run before. */
const rematchedIn = async (
  { db, lease, streams }: ChunkContext,
  mapping: RunMapping,
): Promise<ReadonlySet<string>> => {
  const before = await revisionBefore(db, lease);
  const people = streams.filter(({ from }) => from.stream.kind === "people").map(({ name }) => name);
  return new Set(people.filter((name) => before !== null && mapping.differsFrom(before, name)));
};

/**
 * Creates the fields that the destination lacks, asks the source how much there is and where it can be split, and plans the
 * run's steps.
 */
export const createPrepareTask =
  ({
    parallelPartitions,
    recordsPerPartition,
    verifyAtMost,
    chooseMapping,
    loadMapping,
    silence,
  }: PrepareNeeds) =>
  async (ctx: ChunkContext, book: TallyBook): Promise<TaskEnd> => {
    const { db, lease } = ctx;
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    if (lease.kind === "undo") await beginRemoving(db, lease.importId);
    else if (lease.kind === "sample" || lease.kind === "full") await forgetKept(db, lease);
    const mapping =
      lease.kind === "undo"
        ? ctx.mapping
        : await loadMapping(lease.importId, await chooseMapping(ctx), lease.family);
    if (lease.kind !== "undo") {
      const setUp = await setUpFields(ctx, mapping);
      if (setUp.kind !== "ready") return setUp;
    }
    const wanted = ctx.streams.filter(({ name }) => lease.kind === "undo" || mapping.includes(name));
    const facts: PlannedStream[] = [];
    const hidden: string[] = [];
    for (const pair of wanted)
      if (lease.kind === "undo" || (await isAllowed(ctx, pair.from)))
        facts.push(await factsOf(ctx, pair, { parallelPartitions, recordsPerPartition }));
      else hidden.push(pair.name);
    const sweptBy = await lastSweep(db, lease.importId);
    const plan = planRun(facts, {
      kind: lease.kind,
      parallelPartitions,
      recordsPerPartition,
      sweptBy: sweptBy?.number ?? null,
      swept: new Set(sweptBy?.streams),
      runNumber: lease.runNumber,
      everyStream: ctx.streams,
      verifyAtMost,
      keptSample: lease.kind === "sample" ? await findKeptSample(db, lease, mapping) : null,
      rematched: lease.kind === "retry_failed" ? await rematchedIn(ctx, mapping) : new Set(),
      limits: lease.kind === "retry_failed" ? await findLimits(db, lease.runId) : null,
      hasCanaries: await hasCanaries(ctx, silence),
      hasFields: lease.kind === "undo" && (await listFields(db, lease.importId)).length > 0,
    });
    // A sample leaves most of everything; an undo moves nothing.
    if (lease.kind === "sample" || lease.kind === "undo") return { kind: "ended", plan };
    await keepOldLinks(ctx);
    for (const kind of await leftKinds(ctx, new Set(wanted.map(({ name }) => name)))) book.left(kind);
    for (const stream of hidden) book.left({ stream, code: "not_allowed", count: null });
    return { kind: "ended", plan, tallies: book.all() };
  };

/** Null: the tool has no exact count, or not for this sign-in; unmoved streams must not hold up the others. */
const countOf = async (ctx: ChunkContext, from: SourceStream): Promise<number | null> => {
  try {
    const counted = await onSide("source", async () => from.count?.(ctx.source.io(ctx.signal)));
    return counted?.exact === true ? counted.value : null;
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    return null;
  }
};

/** The kinds of records that the source can read and this run does not move. */
export const leftKinds = async (
  ctx: ChunkContext,
  moved: ReadonlySet<string>,
): Promise<readonly LeftKind[]> => {
  const { connector } = ctx.source;
  const isTaken = (name: string) => ctx.streams.some((pair) => pair.name === name);
  const left: LeftKind[] = [];
  for (const from of connector.source?.[ctx.lease.family] ?? []) {
    const { name } = from.stream;
    if (moved.has(name)) continue;
    const code = isTaken(name) ? "not_selected" : "not_supported";
    left.push({ stream: name, code, count: await countOf(ctx, from) });
  }
  return left;
};
