import { type AccountState, type KnownLimit, type Lane, lanes, type Member } from "../state/account-state.ts";
import { createStarts } from "../state/make-up.ts";
import { appliesTo, isPaced, lanesOf } from "../state/pace.ts";
import { countSince } from "../state/usage.ts";
import { fairBound, horizonMs, levelServed } from "./fair-turn.ts";

export interface SlotAsk {
  readonly process: string;
  readonly want: Readonly<Partial<Record<Lane, number>>>;
  /** The database's recent response time. */
  readonly lagMs: number;
}

export interface SlotGrant {
  readonly slots: Readonly<Record<Lane, readonly number[]>>;
  /** The first time for which no slot could be granted yet. */
  readonly nextMs: number | null;
}

/** Slots so near that no other process could claim them in time: granted to the process that asks. */
const nearMs = 300;
const afterPauseMs = 30;
const countedShare = 0.99;

/** How many requests probe for what remains, when a window may have ended. */
const scouts = 10;

/** How many more requests may start under a quota that is counted, not spaced. */
const roomIn = (state: AccountState, limit: KnownLimit, nowMs: number): number => {
  const { requests, perMs } = limit;
  const { quotas, usage } = state;
  const told = limit.told && Object.values(quotas).find((quota) => quota.perMs === perMs);
  if (!told) return Math.floor(requests * countedShare) - countSince(usage, nowMs - perMs, nowMs);
  // The header's remainder is exact until the quota is full again.
  return nowMs < told.edgeMs
    ? told.left.remaining - countSince(usage, told.left.atMs, nowMs)
    : scouts - countSince(usage, told.edgeMs, nowMs);
};

const roomOf = (state: AccountState, limits: readonly KnownLimit[], lane: Lane, nowMs: number): number => {
  const counted = limits.filter((limit) => !isPaced(limit) && appliesTo(limit, lane));
  const open = Object.values(state.members).reduce((sum, member) => sum + member.open, 0);
  return Math.min(Number.POSITIVE_INFINITY, ...counted.map((limit) => roomIn(state, limit, nowMs))) - open;
};

/**
 * Grants starts, alternating between the lanes that want some. Each is as early as all limits allow and within the
 * horizon; starts that are not near go first to processes that had fewer per run.
 */
export const grantSlots = (
  state: AccountState,
  limits: readonly KnownLimit[],
  ask: SlotAsk,
  nowMs: number,
  late: number,
): SlotGrant => {
  const { process } = ask;
  const me = state.members[process] as Member;
  const horizon = horizonMs(state, process, ask.lagMs, nowMs);
  const slots: Record<Lane, number[]> = { any: [], read: [], write: [] };
  const used = lanesOf(limits);
  const step = 1 / Math.max(1, me.weight);
  me.served = levelServed(state, process, nowMs);
  const bound = fairBound(state, limits, process, horizon, nowMs);
  // A slot just past is as good as one used slightly late.
  const earliest = Math.max(
    nowMs - late / 2,
    state.pausedUntil > nowMs ? state.pausedUntil + afterPauseMs : 0,
  );
  for (const lane of used) state.spare[lane] = state.spare[lane].filter((at) => at >= earliest);
  const starts = createStarts(state, limits, earliest, nowMs);

  const left = new Map(
    used.map((lane) => [
      lane,
      { wanted: Math.ceil(ask.want[lane] ?? 0), room: roomOf(state, limits, lane, nowMs) },
    ]),
  );
  let nextMs: number | null = null;
  let open = used.filter((lane) => (left.get(lane)?.wanted ?? 0) > 0);
  while (open.length > 0) {
    open = open.filter((lane) => {
      const counts = left.get(lane) as { wanted: number; room: number };
      if (counts.wanted <= 0) return false;
      const spare = state.spare[lane][0];
      const at = spare ?? starts.next(lane, nowMs + horizon);
      const mayHave = at <= nowMs + nearMs || me.served < bound;
      if (counts.room <= 0 || at > nowMs + horizon || !mayHave) {
        nextMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, counts.room <= 0 ? nowMs + horizon : at);
        return false;
      }
      if (spare === undefined) starts.take(lane, at);
      else state.spare[lane].shift();
      slots[lane].push(at);
      counts.wanted -= 1;
      // A start counts for all lanes that share a quota.
      for (const each of left.values()) each.room -= 1;
      me.served += step;
      return true;
    });
  }
  me.hungry = nextMs !== null;
  return { slots, nextMs };
};

/** Takes back future slots that a process no longer needs. */
export const giveBack = (
  state: AccountState,
  returned: Readonly<Record<Lane, readonly number[]>>,
  nowMs: number,
): void => {
  for (const lane of lanes) {
    const more = returned[lane].filter((at) => at > nowMs);
    if (more.length > 0) state.spare[lane] = [...state.spare[lane], ...more].toSorted((a, b) => a - b);
  }
};
