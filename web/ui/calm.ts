/** What there is to say, and how far it is. */
export interface Sayable {
  readonly text: string;
  /** Between 0 and 1; null: nobody knows how much there is. */
  readonly share: number | null;
  /** What is news at once when it changes: "running", "paused". */
  readonly state: string;
}

/** What was said last, and when. */
export interface Said extends Sayable {
  readonly atMs: number;
}

const everyShare = 0.1;
const everyMs = 30_000;

/**
 * Whether it is time to say it again: a tenth further, at the end, or after half a minute in which something moved. Without
 * a share only the half minute counts, and its coming or going is news.
 */
export const shouldSay = (last: Said | null, { text, share, state }: Sayable, nowMs: number): boolean => {
  if (last === null || state !== last.state) return true;
  const isDue = nowMs - last.atMs >= everyMs;
  if (share === null && last.share === null) return isDue && text !== last.text;
  if (share === null || last.share === null) return true;
  if (share === last.share) return false;
  return share >= 1 || Math.floor(share / everyShare) !== Math.floor(last.share / everyShare) || isDue;
};
