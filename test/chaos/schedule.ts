import type { Random } from "@portage/connector-kit/conformance";
import type { FaultKind } from "./fault-kind.ts";

const shuffled = <T>(items: readonly T[], random: Random): T[] => {
  const left = [...items];
  const taken: T[] = [];
  while (left.length > 0) taken.push(...left.splice(random.below(left.length), 1));
  return taken;
};

const pickOne = (kinds: readonly FaultKind[], random: Random): FaultKind => {
  let dice = random.next() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  return kinds.find(({ weight }) => (dice -= weight) < 0) ?? (kinds[0] as FaultKind);
};

/** In random order, each kind at least once if the count allows it. */
export const scheduleFaults = (
  kinds: readonly FaultKind[],
  count: number,
  random: Random,
): readonly FaultKind[] => {
  const once = shuffled(kinds, random).slice(0, count);
  const more = Array.from({ length: count - once.length }, () => pickOne(kinds, random));
  return shuffled([...once, ...more], random);
};
