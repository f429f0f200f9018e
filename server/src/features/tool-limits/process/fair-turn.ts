import type { AccountState, KnownLimit, Member } from "../state/account-state.ts";
import { type Lane, laneWeight } from "../state/lanes.ts";
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

/** What processes compete for in a lane: the tightest limit that counts it. Undefined: for all slots together. */
const contested = (limits: readonly KnownLimit[], lane: Lane): KnownLimit | undefined =>
  limits
    .filter((limit) => isPaced(limit) && laneWeight(limit, lane) > 0)
    .toSorted((a, b) => intervalMs(b) - intervalMs(a))[0];

/** How far each process may go in a lane before those that are behind it and want more of the same. */
export const fairTurn = (
  state: AccountState,
  limits: readonly KnownLimit[],
  lane: Lane,
  { process, horizon, nowMs }: { process: string; horizon: number; nowMs: number },
) => {
  const limit = contested(limits, lane);
  const known = new Map<Lane, boolean>();
  // A process that waits for something rarer is no reason to hold this one up.
  const isPart = (each: Lane) => {
    const is = known.get(each) ?? contested(limits, each) === limit;
    known.set(each, is);
    return is;
  };
  const servedOf = ({ served }: Member) =>
    Object.entries(served).reduce((sum, [each, count]) => sum + (isPart(each) ? count : 0), 0);
  const me = state.members[process] as Member;
  const behind = othersOf(state, process, nowMs).filter(({ hungry }) => hungry.some(isPart));
  if (behind.length === 0) return { mayTake: () => true };
  const least = Math.min(...behind.map(servedOf));
  // A process that joins or rejoins the line starts level with those that wait in it.
  if (!me.hungry.some(isPart)) me.served[lane] = (me.served[lane] ?? 0) + Math.max(0, least - servedOf(me));
  const own = Math.max(1, me.weight);
  const weights = behind.reduce((sum, { weight }) => sum + Math.max(1, weight), own);
  const inSight = Math.min(1_000, limit === undefined ? 1_000 : horizon / intervalMs(limit));
  const bound = least + Math.max(1, inSight / weights / 2);
  return { mayTake: () => servedOf(me) < bound };
};
