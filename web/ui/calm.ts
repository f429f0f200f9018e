/** A sentence for screen readers, with the progress that it describes. */
export interface Sayable {
  readonly text: string;
  /** Between 0 and 1; null: the total is unknown. */
  readonly share: number | null;
  /** A change of it is announced immediately: "running", "paused". */
  readonly state: string;
}

/** The last announcement, and its time. */
export interface Said extends Sayable {
  readonly atMs: number;
}

const everyShare = 0.1;
const everyMs = 30_000;

/**
 * Whether to announce again: a tenth further, at the end, or after half a minute with progress. Without a share only
 * the half minute counts; a share that appears or disappears is announced immediately.
 */
export const shouldSay = (last: Said | null, { text, share, state }: Sayable, nowMs: number): boolean => {
  if (last === null || state !== last.state) return true;
  const isDue = nowMs - last.atMs >= everyMs;
  if (share === null && last.share === null) return isDue && text !== last.text;
  if (share === null || last.share === null) return true;
  if (share === last.share) return false;
  return share >= 1 || Math.floor(share / everyShare) !== Math.floor(last.share / everyShare) || isDue;
};
