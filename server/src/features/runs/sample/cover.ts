/** The items that each set covers, by number. */
export type Covers = readonly ReadonlySet<number>[];

/** A fraction of a second; harder cases keep the greedy choice. */
const maxSteps = 2_000;

/** What a set would add to the covered items. */
const gainOf = (set: ReadonlySet<number>, open: ReadonlySet<number>, weights?: readonly number[]): number => {
  let sum = 0;
  for (const thing of set) if (open.has(thing)) sum += weights?.[thing] ?? 1;
  return sum;
};

const without = (open: ReadonlySet<number>, set: ReadonlySet<number>): ReadonlySet<number> =>
  new Set([...open].filter((thing) => !set.has(thing)));

const none: ReadonlySet<number> = new Set();

/** Repeatedly takes the set that adds most. */
const greedy = (sets: Covers, weights: readonly number[], limit: number, given: readonly number[]) => {
  const taken = [...given];
  const open = new Set(sets.flatMap((set) => [...set]));
  for (const index of given) for (const thing of sets[index] ?? []) open.delete(thing);
  while (taken.length < limit && open.size > 0) {
    let best = -1;
    let most = 0;
    for (const [index, set] of sets.entries()) {
      const gain = gainOf(set, open, weights);
      if (gain > most) [best, most] = [index, gain];
    }
    if (best < 0) break;
    taken.push(best);
    for (const thing of sets[best] ?? []) open.delete(thing);
  }
  return { taken, open };
};

/** Drops taken sets that the others make redundant. */
const withoutSpare = (sets: Covers, taken: readonly number[], given: number): readonly number[] => {
  const kept = [...taken];
  for (const index of taken.slice(given).toReversed()) {
    const others = new Set(kept.filter((each) => each !== index).flatMap((each) => [...(sets[each] ?? [])]));
    if (without(sets[index] ?? none, others).size === 0) kept.splice(kept.indexOf(index), 1);
  }
  return kept;
};

/** Searches for at most `limit` sets that cover everything, the rarest item first. Null: none was found. */
const exact = (sets: Covers, limit: number, given: readonly number[]): readonly number[] | null => {
  const coverers = new Map<number, number[]>();
  for (const [index, set] of sets.entries())
    for (const thing of set) coverers.set(thing, [...(coverers.get(thing) ?? []), index]);
  const largest = Math.max(1, ...sets.map((set) => set.size));
  let steps = 0;
  const search = (taken: readonly number[], open: ReadonlySet<number>): readonly number[] | null => {
    if (open.size === 0) return taken;
    steps += 1;
    if (steps > maxSteps || taken.length + Math.ceil(open.size / largest) > limit) return null;
    let rarest: readonly number[] | null = null;
    for (const thing of open) {
      const able = coverers.get(thing) ?? [];
      if (rarest === null || able.length < rarest.length) rarest = able;
    }
    const gain = (index: number) => gainOf(sets[index] ?? none, open);
    for (const index of (rarest ?? []).toSorted((a, b) => gain(b) - gain(a))) {
      const found = search([...taken, index], without(open, sets[index] ?? none));
      if (found) return found;
    }
    return null;
  };
  const open = new Set(coverers.keys());
  for (const index of given) for (const thing of sets[index] ?? []) open.delete(thing);
  return search(given, open);
};

/**
 * Takes at most `limit` sets, including the given ones, that cover as much as possible; everything, if that many can.
 * Deterministic. Takes no set that adds nothing.
 */
export const cover = (
  sets: Covers,
  weights: readonly number[],
  limit: number,
  given: readonly number[] = [],
): readonly number[] => {
  const first = greedy(sets, weights, limit, given);
  if (first.open.size === 0) return withoutSpare(sets, first.taken, given.length);
  return exact(sets, limit, given) ?? first.taken;
};
