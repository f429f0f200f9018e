import { elapsedMs, momentNow, type Moment } from "../../../platform/moment.ts";
import type { ChunkContext } from "./chunk-context.ts";
import { renewLease } from "./store-lease.ts";

export interface WriteDeadline {
  /** Aborts requests in flight when the deadline passes or the partition is lost. */
  readonly signal: AbortSignal;
  /** Whether a request may still be sent: called right before its bytes go out. */
  maySend(): boolean;
  close(): void;
}

/** Enough for one round trip of a request that is refused at once. */
const marginMs = 250;
/** After a suspension timers continue where they stood: the clocks are read this often. */
const lookEveryMs = 250;

/**
 * The claim's deadline, measured from before the claim, so that a process that slept knows that it is too late. `renews`:
 * for files, which may take longer than any deadline; the deadline moves as long as the database confirms that the lease is
 * held.
 */
export const startWriteDeadline = (
  { db, lease, times, lost }: Pick<ChunkContext, "db" | "lease" | "times" | "lost">,
  startedAt: Moment,
  renews: boolean,
): WriteDeadline => {
  const passed = new AbortController();
  let since = startedAt;
  const leftMs = () => times.writeMs - elapsedMs(since);
  const look = () => {
    if (leftMs() <= 0) passed.abort(new Error("The write deadline has passed."));
    else timer = setTimeout(look, Math.min(leftMs(), lookEveryMs));
  };
  let timer = setTimeout(look, 0);
  const renew = async () => {
    const at = momentNow();
    if (leftMs() <= 0 || !(await renewLease(db, lease, times).catch(() => false))) return;
    since = at;
  };
  const renewal = renews ? setInterval(() => void renew(), times.writeMs / 4) : undefined;
  const signal = AbortSignal.any([passed.signal, lost]);
  return {
    signal,
    maySend: () => leftMs() > marginMs && !signal.aborted,
    close() {
      clearTimeout(timer);
      clearInterval(renewal);
    },
  };
};
