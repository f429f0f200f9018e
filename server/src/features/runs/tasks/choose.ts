import type { Sealer } from "../../../platform/seal.ts";
import { advanceChoice, beginChoice } from "../sample/advance-choice.ts";
import type { SampleBounds } from "../sample/bounds.ts";
import { atKey } from "../sample/candidate.ts";
import type { ChooseWork } from "../sample/choose-work.ts";
import { coverageOf } from "../sample/coverage.ts";
import { createSourceReader, type SourceReader } from "../sample/source-reader.ts";
import { listAdded, loadWork, replaceSample, saveWork } from "../sample/store-review.ts";
import { onSide } from "../sides.ts";
import type { TallyBook } from "../tallies.ts";
import type { Workplace } from "../workplace.ts";
import type { Budget, TaskEnd } from "./task.ts";

export interface ChooseNeeds {
  readonly sealer: Sealer;
  readonly bounds: SampleBounds;
}

const finish = async (
  place: Workplace,
  { sealer, bounds }: ChooseNeeds,
  reader: SourceReader,
  work: ChooseWork,
): Promise<TaskEnd> => {
  const records = [...(work.closure?.records ?? [])].map(([key, why]) => ({ ...atKey(key), why }));
  const coverage = coverageOf(work, reader, bounds.searched);
  return (await replaceSample(place.db, sealer, place.lease, { records, coverage }))
    ? { kind: "ended" }
    : { kind: "fenced" };
};

/** Chooses what a sample consists of, in as many chunks as the tool makes it take: its place is kept, sealed. */
export const createChooseTask =
  (needs: ChooseNeeds) =>
  async (place: Workplace, _: TallyBook, budget: Budget): Promise<TaskEnd> => {
    const { db, lease, times, mapping } = place;
    const { sealer, bounds } = needs;
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    const streams = place.streams.filter(({ name }) => mapping.includes(name)).map(({ from }) => from);
    const reader = createSourceReader(streams, place.source.io(place.signal), mapping.isSelected);
    const work =
      (await loadWork(db, sealer, lease)) ??
      beginChoice(lease.runNumber, reader, bounds, await listAdded(db, lease.importId));
    const save = () => saveWork(db, sealer, lease, work, times);
    try {
      while (await onSide("source", () => advanceChoice(work, reader, bounds))) {
        budget.done.read += 1;
        if (!budget.spend()) return (await save()) ? { kind: "more" } : { kind: "fenced" };
      }
    } catch (error) {
      // What was read so far need not be read again when the tool is back.
      if (budget.done.read > 0) await save();
      throw error;
    }
    return finish(place, needs, reader, work);
  };
