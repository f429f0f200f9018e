/** The vendor's clock: real time, and what a test moved it on. Everything that waits at the vendor waits by it. */
export interface VendorClock {
  now(): number;
  advance(ms: number): void;
}

export const createClock = (): VendorClock => {
  let moved = 0;
  return { now: () => Date.now() + moved, advance: (ms) => void (moved += ms) };
};

/** As most vendors write moments: without fractions of a second. */
export const isoSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export const unixSeconds = (ms: number): number => Math.floor(ms / 1000);
