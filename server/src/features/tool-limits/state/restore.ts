import { type AccountState, freshState } from "./account-state.ts";
import { addUse } from "./usage.ts";

/** Other processes may hold slots up to this far ahead. */
const horizonMs = 1_000;

/** More than the clocks of one database differ. */
const setBackMs = 5_000;

/** After the database's clock was set back: keeps what was learned, resets all that has a time. */
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
 * The row is gone, or a process without knowledge created it anew: restores what this process knew. Others may have
 * learned and taken more since, so the schedule resumes only after all slots that they can hold.
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
  for (const [lane, usage] of Object.entries(known.usageBy))
    state.usageBy[lane] ??= addUse([], usage, nowMs, Number.POSITIVE_INFINITY);
  state.pausedUntil = Math.max(state.pausedUntil, known.pausedUntil);
  state.settledMs = Math.max(state.settledMs, known.settledMs);
  state.latencyMs ||= known.latencyMs;
  state.refused ??= known.refused;
  state.quotas = { ...known.quotas, ...state.quotas };
  state.circuit ??= known.circuit;
};
