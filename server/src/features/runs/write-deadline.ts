import { renewLease } from "./store-lease.ts";
import type { Workplace } from "./workplace.ts";

export interface WriteDeadline {
  /** Aborts what is still under way when the time is over or the partition was lost. */
  readonly signal: AbortSignal;
  /** Whether a request may still be sent: asked right before its bytes go out. */
  maySend(): boolean;
  close(): void;
}

/** Enough for one round trip of a request that is refused at once. */
const marginMs = 250;

/**
 * The time that a claim gives, on the monotonic clock and measured from before it, so that a process that slept knows
 * that it is too late. `renews`: for files, which may take longer than any deadline; it moves as long as the database
 * confirms that the partition is still ours.
 */
export const startWriteDeadline = (place: Workplace, startedAt: number, renews: boolean): WriteDeadline => {
  const { db, lease, times } = place;
  const controller = new AbortController();
  let endsAt = startedAt + times.writeMs;
  const abort = () => controller.abort(new Error("The time for this write is over."));
  let timer = setTimeout(abort, Math.max(0, endsAt - performance.now()));
  const renew = async () => {
    const at = performance.now();
    if (at >= endsAt || !(await renewLease(db, lease, times).catch(() => false))) return;
    endsAt = at + times.writeMs;
    clearTimeout(timer);
    timer = setTimeout(abort, Math.max(0, endsAt - performance.now()));
  };
  const renewal = renews ? setInterval(() => void renew(), times.writeMs / 4) : undefined;
  return {
    signal: controller.signal,
    maySend: () => performance.now() < endsAt - marginMs && !controller.signal.aborted,
    close() {
      clearTimeout(timer);
      clearInterval(renewal);
    },
  };
};
