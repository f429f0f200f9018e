import type { AccountState, KnownLimit, Member } from "../state/account-state.ts";
import { intervalMs, isPaced } from "../state/pace.ts";

/** How far ahead slots are granted: less if several processes share, so that none waits long for its turn. */
const horizonAloneMs = 2_000;
const horizonSharedMs = 1_000;
/** Added if the database responds slowly, at most this much. */
const maxLagMs = 1_000;
/** A process silent for this long does not hold up others. */
const heardMs = 3_000;

/** The other processes that currently use the account. */
const othersOf = (state: AccountState, process: string, nowMs: number): Member[] =>
  Object.entries(state.members).flatMap(([id, member]) =>
    id !== process && member.at > nowMs - heardMs ? [member] : [],
  );

export const horizonMs = (state: AccountState, process: string, lagMs: number, nowMs: number): number =>
  othersOf(state, process, nowMs).length > 0
    ? horizonSharedMs + Math.min(maxLagMs, 2 * lagMs)
    : horizonAloneMs;

/** The slots per run up to which a process may go before processes that are behind it and want more. */
export const fairBound = (
  state: AccountState,
  limits: readonly KnownLimit[],
  process: string,
  horizon: number,
  nowMs: number,
): number => {
  const behind = othersOf(state, process, nowMs).filter(({ hungry }) => hungry);
  if (behind.length === 0) return Number.POSITIVE_INFINITY;
  const own = Math.max(1, state.members[process]?.weight ?? 1);
  const weights = behind.reduce((sum, { weight }) => sum + Math.max(1, weight), own);
  const inSight = Math.min(1_000, ...limits.filter(isPaced).map((limit) => horizon / intervalMs(limit)));
  return Math.min(...behind.map(({ served }) => served)) + Math.max(1, inSight / weights / 2);
};

/** A process that joins or rejoins the line starts level with those that wait in it. */
export const levelServed = (state: AccountState, process: string, nowMs: number): number => {
  const me = state.members[process] as Member;
  const standing = othersOf(state, process, nowMs).filter(({ hungry }) => hungry);
  if (me.hungry || standing.length === 0) return me.served;
  return Math.max(me.served, Math.min(...standing.map(({ served }) => served)));
};
