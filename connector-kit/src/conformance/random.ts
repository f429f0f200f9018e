/** Seeded random numbers: a record can be computed again instead of being stored. */
export interface Random {
  /** From 0 to 1, exclusive. */
  next(): number;
  /** A whole number from 0 to `below`, exclusive. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
}

const hashOf = (words: string): number => {
  let hash = 2_166_136_261;
  for (let i = 0; i < words.length; i += 1) hash = Math.imul(hash ^ words.charCodeAt(i), 16_777_619);
  return hash >>> 0;
};

export const createRandom = (seed: string, index = 0): Random => {
  let state = (hashOf(seed) ^ Math.imul(index + 1, 2_654_435_761)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: (from) => from[below(from.length)] as (typeof from)[number] };
};

/** All of them, in a random order. */
export const shuffled = <T>(all: readonly T[], random: Random): readonly T[] =>
  all
    .map((each) => ({ each, at: random.next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ each }) => each);
