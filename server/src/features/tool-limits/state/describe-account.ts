import type { CountedRequests } from "@portage/connector-kit";
import type { Database } from "../../../platform/db.ts";
import { type AccountState, countedOf, fromStored, usageIn } from "./account-state.ts";
import { listSlotRows, readSlotRows, type RowKey, type SlotRow } from "./store.ts";
import { countSince } from "./usage.ts";

export interface AccountDescription {
  /** What the tool currently allows, as far as known; null if no limit is known. */
  readonly requestsPerMinute: number | null;
  /** What all processes together used in the last minute. */
  readonly lastMinute: number;
  /** How long nothing may start: the tool asked for a pause, or its circuit is open. */
  readonly waitMs: number;
}

const describe = (state: AccountState, nowMs: number): AccountDescription => {
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

/** For estimates: how fast an account can be used. */
export const describeAccount = async (
  db: Database,
  tool: string,
  accountId: string,
): Promise<AccountDescription> => {
  const { rows, nowMs } = await readSlotRows(db, [{ tool, accountId }]);
  const state = fromStored(rows[0]?.state);
  return state ? describe(state, nowMs) : { requestsPerMinute: null, lastMinute: 0, waitMs: 0 };
};

/** An account of a tool, for operators. */
export interface AccountHealth extends AccountDescription {
  readonly tool: string;
  readonly accountId: string;
  /** Requests fail so often that only probes are sent. */
  readonly circuitOpen: boolean;
  /** Since when the tool answers that there were too many requests; null: it does not. */
  readonly refusedSince: Date | null;
  readonly quotas: readonly {
    readonly name: string;
    readonly requests: number;
    readonly perMs: number;
    readonly used: number;
    /** Which requests it counts, and how. */
    readonly counts: CountedRequests;
  }[];
}

const healthOf = ({ tool, accountId, state: stored }: SlotRow, nowMs: number): readonly AccountHealth[] => {
  const state = fromStored(stored);
  if (!state) return [];
  const quotas = Object.entries(state.limits).map(([name, known]) => ({
    name,
    requests: known.requests,
    perMs: known.perMs,
    used: countSince(usageIn(state, known), nowMs - known.perMs, nowMs),
    counts: countedOf(known),
  }));
  const circuitOpen = (state.circuit?.openUntil ?? 0) > nowMs;
  const refusedSince = state.refused && new Date(state.refused.firstMs);
  return [{ tool, accountId, ...describe(state, nowMs), circuitOpen, refusedSince, quotas }];
};

/** Those of these accounts that the workers have used. */
export const findAccountHealth = async (
  db: Database,
  keys: readonly RowKey[],
): Promise<readonly AccountHealth[]> => {
  const { rows, nowMs } = await readSlotRows(db, keys);
  return rows.flatMap((row) => healthOf(row, nowMs));
};

/** The accounts that were used within `minutes`, those used last first. */
export const listAccountHealth = async (
  db: Database,
  used: { readonly minutes: number; readonly limit: number },
): Promise<readonly AccountHealth[]> => {
  const { rows, nowMs } = await listSlotRows(db, used);
  return rows.flatMap((row) => healthOf(row, nowMs));
};
