import type { SampleBounds } from "./bounds.ts";
import { candidateOf, candidateKey } from "./candidate.ts";
import { chooseSample } from "./choose-sample.ts";
import { type ChooseWork, newWork } from "./choose-work.ts";
import { closeSample, newClosure } from "./close-sample.ts";
import { readCandidates, rootPlaces } from "./read-candidates.ts";
import { peekAtChildren, searchChildren, searchPlaces } from "./search-children.ts";
import type { SourceReader } from "./source-reader.ts";

type Where = { readonly stream: string; readonly id: string };

export const beginChoice = (
  runNumber: number,
  reader: SourceReader,
  { candidates }: SampleBounds,
  added: readonly Where[],
): ChooseWork => ({
  ...newWork(runNumber),
  toAdd: added.filter(({ stream }) => reader.find(stream) !== undefined),
  roots: rootPlaces(reader.layout, candidates),
  searches: searchPlaces(reader),
});

const idsPerStep = 25;

const readAdded = async (work: ChooseWork, reader: SourceReader): Promise<boolean> => {
  const [first] = work.toAdd;
  const stream = first && reader.layout.find(first.stream);
  if (!first || !stream) return false;
  const ids = work.toAdd
    .filter((each) => each.stream === first.stream)
    .slice(0, idsPerStep)
    .map(({ id }) => id);
  for (const record of await reader.byIds(first.stream, ids))
    work.candidates.set(
      candidateKey({ stream: first.stream, id: record.id }),
      candidateOf(stream, record, true),
    );
  work.toAdd = work.toAdd.filter((each) => each.stream !== first.stream || !ids.includes(each.id));
  return true;
};

const choose = (work: ChooseWork, { layout }: SourceReader, { chosen }: SampleBounds) => {
  const candidates = [...work.candidates.values()];
  const main = layout.main ?? "";
  work.mainSeen = candidates.filter(({ stream }) => stream === main).length;
  work.choice = chooseSample(candidates, { limit: chosen, main });
  work.closure = newClosure(work.choice.chosen);
  work.candidates.clear();
};

/** One more step towards a sample, with few calls to the source. False: the choice is complete. */
export const advanceChoice = async (
  work: ChooseWork,
  reader: SourceReader,
  bounds: SampleBounds,
): Promise<boolean> => {
  if (work.closure) return closeSample(work, work.closure, reader, bounds);
  const more =
    (await readAdded(work, reader)) ||
    (await readCandidates(work, reader)) ||
    (await searchChildren(work, reader, bounds)) ||
    (await peekAtChildren(work, reader, bounds));
  if (!more) choose(work, reader, bounds);
  return true;
};
