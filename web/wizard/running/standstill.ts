/** Longer than between two pages of a slow tool, shorter than anybody's patience. */
const quietMs = 45_000;

/** Since when nothing has moved, once that is worth a word; null: it moves. */
export const standsStillSince = (movedAtMs: number, nowMs: number): Date | null =>
  nowMs - movedAtMs >= quietMs ? new Date(movedAtMs) : null;
