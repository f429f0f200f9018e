/** Requests by start time: where a bucket begins and how many it holds, oldest first. */
export type Usage = readonly (readonly [fromMs: number, count: number])[];

const finestMs = 250;
const fineForMs = 75_000;

/** The older, the wider: a minute's quota needs fine buckets, a day's quota only coarse ones. */
const widths = [
  { fromAgeMs: 3_600_000, widthMs: 60_000 },
  { fromAgeMs: fineForMs, widthMs: 15_000 },
];

const finest = { fromAgeMs: 0, widthMs: finestMs };

const widthOf = (ageMs: number) => widths.find(({ fromAgeMs }) => ageMs >= fromAgeMs) ?? finest;

export const bucketOf = (atMs: number): number => Math.floor(atMs / finestMs) * finestMs;

export const addUse = (usage: Usage, more: Usage, nowMs: number, keptMs: number): Usage => {
  const counts = new Map<number, number>();
  const add = ([from, count]: readonly [number, number]) => {
    if (nowMs - from > keptMs) return;
    const { widthMs: width } = widthOf(nowMs - from);
    const bucket = Math.floor(from / width) * width;
    counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  };
  usage.forEach(add);
  more.forEach(add);
  return [...counts].toSorted(([a], [b]) => a - b);
};

/** The part of a bucket that lies between two times. */
const shareBetween = (from: number, fromMs: number, toMs: number, nowMs: number): number => {
  const { fromAgeMs, widthMs } = widthOf(nowMs - from);
  if (widthMs === finestMs) {
    const middle = from + finestMs / 2;
    return middle >= fromMs && middle < toMs ? 1 : 0;
  }
  // Requests too young for a wide bucket are still in narrower ones.
  const end = Math.min(from + widthMs, Math.max(from + finestMs, nowMs - fromAgeMs));
  return Math.max(0, Math.min(toMs, end) - Math.max(fromMs, from)) / (end - from);
};

/**
 * How many requests started from `fromMs` until `toMs`. A fine bucket belongs where its middle is. A wide one holds a
 * good part of a minute's quota, so all or nothing of it would make a quota seem larger: it counts in proportion.
 */
export const countBetween = (usage: Usage, fromMs: number, toMs: number, nowMs: number): number =>
  usage.reduce((sum, [from, count]) => sum + count * shareBetween(from, fromMs, toMs, nowMs), 0);

/** How many requests started since then. */
export const countSince = (usage: Usage, fromMs: number, nowMs: number): number =>
  countBetween(usage, fromMs, Number.POSITIVE_INFINITY, nowMs);

/** As few digits as possible, because every write rewrites the whole row: the first bucket, then differences. */
export const packUsage = (usage: Usage): number[] => {
  let last = 0;
  return usage.flatMap(([from, count]) => {
    const distance = from / finestMs - last;
    last += distance;
    return [distance, count];
  });
};

export const unpackUsage = (packed: readonly number[]): Usage => {
  const usage: [number, number][] = [];
  let at = 0;
  for (let index = 0; index + 1 < packed.length; index += 2) {
    at += packed[index] as number;
    usage.push([at * finestMs, packed[index + 1] as number]);
  }
  return usage;
};
