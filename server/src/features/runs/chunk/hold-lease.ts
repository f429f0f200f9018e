import type { Database } from "../../../platform/db.ts";
import { elapsedMs, type Moment, momentNow } from "../../../platform/moment.ts";
import type { Lease, LeaseTimes } from "./lease.ts";
import { touchLease } from "./store-lease.ts";

/** A slow tool may take longer for a page than a lease lasts, but not forever. */
const maxTouches = 30;
/** A lease that ran out while the machine was suspended is noticed this soon. */
const lookEveryMs = 500;

export interface Held {
  /** Aborts with the worker's signal, or once the lease is lost: further calls are then futile. */
  readonly signal: AbortSignal;
  /** Aborts once another attempt has the partition, or may have it because the lease ran out. */
  readonly lost: AbortSignal;
  release(): void;
}

/**
 * Renews the lease while an attempt is at work. Otherwise a page that takes longer than a lease would be started again
 * and again, each attempt making the tool slower for the next, and none would ever end.
 */
export const holdLease = (
  db: Database,
  lease: Lease,
  times: LeaseTimes,
  { takenAt, worker }: { readonly takenAt: Moment; readonly worker: AbortSignal },
): Held => {
  const lost = new AbortController();
  let confirmedAt = takenAt;
  let touchedAt = takenAt;
  let left = maxTouches;
  const touch = async () => {
    const at = momentNow();
    touchedAt = at;
    // Without the database the attempt can't know, until the lease has run out.
    const isOurs = await touchLease(db, lease, times).catch(() => null);
    if (isOurs) confirmedAt = at;
    if (isOurs === false) lost.abort(new Error("Another attempt has the partition now."));
  };
  const timer = setInterval(
    () => {
      // From then on only writes of files keep the lease, which have a deadline of their own.
      if (left <= 0) return clearInterval(timer);
      if (elapsedMs(confirmedAt) >= times.leaseMs) lost.abort(new Error("The lease has run out."));
      if (elapsedMs(touchedAt) < times.leaseMs / 3) return;
      left -= 1;
      if (left > 0) void touch();
    },
    Math.min(lookEveryMs, times.leaseMs / 6),
  );
  return {
    signal: AbortSignal.any([worker, lost.signal]),
    lost: lost.signal,
    release: () => clearInterval(timer),
  };
};
