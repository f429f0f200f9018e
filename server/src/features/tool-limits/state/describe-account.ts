import type { Database } from "../../../platform/db.ts";
import { fromStored } from "./account-state.ts";
import { readSlotRows } from "./store.ts";
import { countSince } from "./usage.ts";

export interface AccountDescription {
  /** What the tool currently allows, as far as known; null if no limit is known. */
  readonly requestsPerMinute: number | null;
  /** What all processes together used in the last minute. */
  readonly lastMinute: number;
  /** How long nothing may start: the tool asked for a pause, or its circuit is open. */
  readonly waitMs: number;
}

/** For estimates: how fast an account can be used. */
export const describeAccount = async (
  db: Database,
  tool: string,
  accountId: string,
): Promise<AccountDescription> => {
  const { rows, nowMs } = await readSlotRows(db, [{ tool, accountId }]);
  const state = fromStored(rows[0]?.state);
  if (!state) return { requestsPerMinute: null, lastMinute: 0, waitMs: 0 };
  // Limits on some calls, or by cost, say little about most calls.
  const rates = Object.values(state.limits).flatMap(({ requests, perMs, class: name, by }) =>
    (name ?? by) === undefined ? [(requests / perMs) * 60_000] : [],
  );
  return {
    requestsPerMinute: rates.length === 0 ? null : Math.min(...rates),
    lastMinute: countSince(state.usage, nowMs - 60_000, nowMs),
    waitMs: Math.max(0, state.pausedUntil - nowMs, (state.circuit?.openUntil ?? 0) - nowMs),
  };
};
