import type { Sealer } from "../../../platform/seal.ts";
import { advanceChoice, beginChoice } from "./advance-choice.ts";
import type { SampleBounds } from "./bounds.ts";
import { atKey } from "./candidate.ts";
import type { ChooseWork } from "./choose-work.ts";
import { coverageOf } from "./coverage.ts";
import { createSourceReader, type SourceReader } from "./source-reader.ts";
import { listAdded, loadWork, replaceSample, saveWork } from "./store-review.ts";
import { onSide } from "../chunk/sides.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import type { ChunkContext } from "../chunk/chunk-context.ts";
import type { Budget, TaskEnd } from "../chunk/task.ts";

export interface ChooseNeeds {
  readonly sealer: Sealer;
  readonly bounds: SampleBounds;
}

const finish = async (
  ctx: ChunkContext,
  { sealer, bounds }: ChooseNeeds,
  reader: SourceReader,
  work: ChooseWork,
): Promise<TaskEnd> => {
  const records = [...(work.closure?.records ?? [])].map(([key, why]) => ({ ...atKey(key), why }));
  const coverage = coverageOf(work, reader, bounds.searched);
  return (await replaceSample(ctx.db, sealer, ctx.lease, { records, coverage }))
    ? { kind: "ended" }
    : { kind: "fenced" };
};

/** How often the progress is stored, so that a waiting customer sees it. */
const saveEveryMs = 2_000;

/** Chooses the sample, in as many chunks as the tool requires: its position is stored, sealed. */
export const createChooseTask =
  (needs: ChooseNeeds) =>
  async (ctx: ChunkContext, _: TallyBook, budget: Budget): Promise<TaskEnd> => {
    const { db, lease, times, mapping } = ctx;
    const { sealer, bounds } = needs;
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    const streams = ctx.streams.filter(({ name }) => mapping.includes(name)).map(({ from }) => from);
    const reader = createSourceReader(streams, ctx.source.io(ctx.signal), mapping.isSelected);
    const work =
      (await loadWork(db, sealer, lease)) ??
      beginChoice(lease.runNumber, reader, bounds, await listAdded(db, lease.importId));
    const save = () => saveWork(db, sealer, lease, work, times);
    try {
      // Before any call: an earlier run may have left its own work.
      if (!(await save())) return { kind: "fenced" };
      let savedAt = performance.now();
      while (await onSide("source", () => advanceChoice(work, reader, bounds))) {
        budget.done.read += 1;
        const isSpent = !budget.spend();
        if (isSpent || performance.now() - savedAt >= saveEveryMs) {
          if (!(await save())) return { kind: "fenced" };
          savedAt = performance.now();
        }
        if (isSpent) return { kind: "more" };
      }
    } catch (error) {
      // What was read so far need not be read again when the tool is back.
      if (budget.done.read > 0) await save();
      throw error;
    }
    return finish(ctx, needs, reader, work);
  };
