import type { Family } from "@portage/contract";
import type { ChooseMapping } from "../choose-mapping.ts";
import { planRun, type StreamFacts } from "../plan.ts";
import { onSide } from "../sides.ts";
import { beginRemoving } from "../store-shared.ts";
import { lastSweep } from "../store-runs.ts";
import type { TallyBook } from "../tallies.ts";
import type { RunMapping, StreamPair, Workplace } from "../workplace.ts";
import { leftKinds } from "./left-kinds.ts";
import type { TaskEnd } from "./task.ts";

export interface PrepareLimits {
  readonly partitionsAtOnce: number;
  readonly verifyAtMost: number;
}

export interface PrepareNeeds extends PrepareLimits {
  readonly chooseMapping: ChooseMapping;
  readonly loadMapping: (importId: string, revision: number, family: Family) => Promise<RunMapping>;
}

const factsOf = async (place: Workplace, pair: StreamPair, atOnce: number): Promise<StreamFacts> => {
  const { kind } = place.lease;
  if (kind === "undo") return { pair, slices: [], expected: null };
  const io = place.source.io(place.signal);
  const counted = await onSide("source", async () => pair.from.count?.(io));
  const sliced = (kind === "full" || kind === "delta") && pair.from.perParent === undefined && atOnce > 1;
  const slices = sliced ? await onSide("source", async () => pair.from.slices?.(io, atOnce)) : undefined;
  return { pair, slices: slices ?? [], expected: counted?.value ?? null };
};

/** Asks the source how much there is and where it can be read in parts, and lays out the run's steps. */
export const createPrepareTask =
  ({ partitionsAtOnce, verifyAtMost, chooseMapping, loadMapping }: PrepareNeeds) =>
  async (place: Workplace, book: TallyBook): Promise<TaskEnd> => {
    const { db, lease } = place;
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    if (lease.kind === "undo") await beginRemoving(db, lease.importId);
    const mapping =
      lease.kind === "undo"
        ? place.mapping
        : await loadMapping(lease.importId, await chooseMapping(place), lease.family);
    const wanted = place.streams.filter(({ name }) => lease.kind === "undo" || mapping.includes(name));
    const facts: StreamFacts[] = [];
    for (const pair of wanted) facts.push(await factsOf(place, pair, partitionsAtOnce));
    const plan = planRun(facts, {
      kind: lease.kind,
      atOnce: partitionsAtOnce,
      sweptBy: await lastSweep(db, lease.importId),
      runNumber: lease.runNumber,
      everyStream: place.streams,
      verifyAtMost,
    });
    // A sample leaves most of everything; an undo moves nothing.
    if (lease.kind === "sample" || lease.kind === "undo") return { kind: "ended", plan };
    for (const kind of await leftKinds(place, new Set(wanted.map(({ name }) => name)))) book.left(kind);
    return { kind: "ended", plan, tallies: book.all() };
  };
