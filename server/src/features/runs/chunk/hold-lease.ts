import type { Database } from "../../../platform/db.ts";
import type { Lease, LeaseTimes } from "./lease.ts";
import { touchLease } from "./store-lease.ts";

/** A slow tool may take longer for a page than a lease lasts, but not forever. */
const maxTouches = 30;

export interface Held {
  /** Aborts with the worker's signal, or once another attempt has the partition: further calls are then futile. */
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * Renews the lease while an attempt is at work. Otherwise a page that takes longer than a lease would be started again
 * and again, each attempt making the tool slower for the next, and none would ever end.
 */
export const holdLease = (db: Database, lease: Lease, times: LeaseTimes, worker: AbortSignal): Held => {
  const lost = new AbortController();
  let left = maxTouches;
  const touch = async () => {
    // Without the database the attempt can't know; the lease's token decides later.
    const isOurs = await touchLease(db, lease, times).catch(() => true);
    if (!isOurs) lost.abort(new Error("Another attempt has the partition now."));
  };
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) void touch();
  }, times.leaseMs / 3);
  return { signal: AbortSignal.any([worker, lost.signal]), release: () => clearInterval(timer) };
};
