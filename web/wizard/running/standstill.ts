/** Longer than the pause between two pages of a slow tool, but short enough not to worry the customer. */
const quietMs = 45_000;

/** Since when the run has made no progress; null: it has, or the pause is too short to mention. */
export const standsStillSince = (movedAtMs: number, nowMs: number): Date | null =>
  nowMs - movedAtMs >= quietMs ? new Date(movedAtMs) : null;
