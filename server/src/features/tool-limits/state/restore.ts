import { type AccountState, freshState } from "./account-state.ts";
import { addUse } from "./usage.ts";

/** Slots of others may be under way up to here. */
const horizonMs = 1_000;

/** By more than clocks of one database differ. */
const setBackMs = 5_000;

/** The database's clock was set back: what was learned stays, what has a moment begins anew. */
export const withClockSetBack = (state: AccountState, nowMs: number): AccountState => {
  if (state.atMs <= nowMs + setBackMs) return state;
  const limits = Object.entries(state.limits).map(([key, limit]) => [
    key,
    {
      ...limit,
      nextAt: nowMs,
      waitedSince: null,
      countedUntil: 0,
      raise: { ...limit.raise, at: nowMs + limit.raise.waitMs, trial: null },
    },
  ]);
  return { ...freshState(), limits: Object.fromEntries(limits) as AccountState["limits"] };
};

/**
 * The row is gone, or somebody who knew nothing began it anew: puts back what this process knew of it. Others may have
 * learned and taken more since, so the schedule goes on only after all that they can hold.
 */
export const restore = (state: AccountState, known: AccountState, nowMs: number): void => {
  for (const [key, limit] of Object.entries(known.limits)) {
    const nextAt = Math.max(limit.nextAt, nowMs + horizonMs);
    const begun = state.limits[key];
    if (begun) begun.nextAt = Math.max(begun.nextAt, nextAt);
    else state.limits[key] = { ...limit, nextAt };
  }
  for (const [id, member] of Object.entries(known.members)) state.members[id] ??= member;
  if (state.usage.length === 0) state.usage = addUse([], known.usage, nowMs, Number.POSITIVE_INFINITY);
  state.pausedUntil = Math.max(state.pausedUntil, known.pausedUntil);
  state.settledMs = Math.max(state.settledMs, known.settledMs);
  state.latencyMs ||= known.latencyMs;
  state.refused ??= known.refused;
  state.told ??= known.told;
  state.circuit ??= known.circuit;
};
