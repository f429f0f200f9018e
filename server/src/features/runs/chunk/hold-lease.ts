import type { Database } from "../../../platform/db.ts";
import type { Lease, LeaseTimes } from "./lease.ts";
import { touchLease } from "./store-lease.ts";

/** A slow tool may take longer to answer for a page than a lease lasts; but not for ever. */
const mostTouches = 30;

export interface Held {
  /** Ends with the worker's own, or once somebody else has the partition: what is then still asked for is in vain. */
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * Says, as long as an attempt is at work, that it is. Without it, a page that takes longer than a lease would be begun
 * again and again, each attempt making the tool slower for the next, and none would ever end.
 */
export const holdLease = (db: Database, lease: Lease, times: LeaseTimes, worker: AbortSignal): Held => {
  const lost = new AbortController();
  let left = mostTouches;
  const touch = async () => {
    // Whoever can't reach the database knows nothing; the epoch decides later.
    const isOurs = await touchLease(db, lease, times).catch(() => true);
    if (!isOurs) lost.abort(new Error("Somebody else has the partition now."));
  };
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) void touch();
  }, times.leaseMs / 3);
  return { signal: AbortSignal.any([worker, lost.signal]), release: () => clearInterval(timer) };
};
