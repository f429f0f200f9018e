/** Converts times of this process's monotonic clock to the database's clock, and back. */
export interface DatabaseClock {
  /** One exchange: when it was sent and received here, and the database's time in between. */
  note(sentMs: number, receivedMs: number, databaseMs: number): void;
  toDatabase(localMs: number): number;
  toLocal(databaseMs: number): number;
}

/** How fast two clocks can drift apart, as a share of the time. */
const drift = 0.0001;
/** A larger unexplained difference means that the database's clock was set, or that it is another database. */
const jumpMs = 5;

export const createDatabaseClock = (): DatabaseClock => {
  let best: { offset: number; error: number; at: number } | null = null;
  return {
    note(sentMs, receivedMs, databaseMs) {
      const error = (receivedMs - sentMs) / 2;
      const offset = databaseMs - (sentMs + receivedMs) / 2;
      const known = best && best.error + (receivedMs - best.at) * drift;
      const hasJumped = best && known !== null && Math.abs(offset - best.offset) > error + known + jumpMs;
      if (!best || known === null || error <= known || hasJumped) best = { offset, error, at: receivedMs };
    },
    toDatabase: (localMs) => localMs + (best?.offset ?? 0),
    toLocal: (databaseMs) => databaseMs - (best?.offset ?? 0),
  };
};
