import type { Database } from "../../../platform/db.ts";
import { type AccountState, fromStored, usageIn } from "./account-state.ts";
import { readRecentSlotRows } from "./store.ts";
import { countSince } from "./usage.ts";

export interface QuotaUse {
  readonly tool: string;
  /** In the window of the quota that ends now. */
  readonly used: number;
  readonly limit: number;
}

const usesOf = (tool: string, state: AccountState, nowMs: number): readonly QuotaUse[] =>
  Object.values(state.limits).map((limit) => ({
    tool,
    used: countSince(usageIn(state, limit), nowMs - limit.perMs, nowMs),
    limit: limit.requests,
  }));

const shareOf = ({ used, limit }: QuotaUse) => used / limit;

/** For each tool in use, the quota of any of its accounts that is the fullest. */
export const fullestQuotas = async (db: Database): Promise<readonly QuotaUse[]> => {
  const fullest = new Map<string, QuotaUse>();
  for (const { tool, state, nowMs } of await readRecentSlotRows(db)) {
    const known = fromStored(state);
    for (const use of known ? usesOf(tool, known, nowMs) : []) {
      const other = fullest.get(tool);
      if (!other || shareOf(use) > shareOf(other)) fullest.set(tool, use);
    }
  }
  return [...fullest.values()];
};
