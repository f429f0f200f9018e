import {
  type AccountState,
  type KnownLimit,
  limitKey,
  type Member,
  openIn,
  usageIn,
} from "../state/account-state.ts";
import { type ByLane, byLane, type Lane, laneWeight } from "../state/lanes.ts";
import { createStarts } from "../state/make-up.ts";
import { isPaced } from "../state/pace.ts";
import { countSince } from "../state/usage.ts";
import { fairTurn, horizonMs } from "./fair-turn.ts";

export interface SlotAsk {
  readonly process: string;
  readonly want: Readonly<Record<Lane, number>>;
  /** The database's recent response time. */
  readonly lagMs: number;
}

export interface SlotGrant {
  readonly slots: Readonly<ByLane<readonly number[]>>;
  /** The first time for which no slot could be granted yet. */
  readonly nextMs: number | null;
}

/** Slots so near that no other process could claim them in time: granted to the process that asks. */
const nearMs = 300;
const afterPauseMs = 30;
const countedShare = 0.99;

/** How many requests probe for what remains, when a window may have ended. */
const scouts = 10;

/** How much of a quota is granted: what it counts lags slightly behind. */
const grantedOf = ({ requests }: KnownLimit) => Math.max(1, Math.floor(requests * countedShare));

/** How much more may start under a quota that is counted, not spaced. */
const roomIn = (state: AccountState, limit: KnownLimit, nowMs: number): number => {
  const usage = usageIn(state, limit);
  const key = limitKey(limit);
  const reported = limit.told && Object.values(state.quotas).find((quota) => limitKey(quota) === key);
  if (!reported) return grantedOf(limit) - countSince(usage, nowMs - limit.perMs, nowMs);
  // The header's remainder is exact until the quota is full again.
  return nowMs < reported.edgeMs
    ? reported.left.remaining - countSince(usage, reported.left.atMs, nowMs)
    : scouts - countSince(usage, reported.edgeMs, nowMs);
};

/** What is left of the quotas that are counted, while slots are granted. */
const createRooms = (state: AccountState, limits: readonly KnownLimit[], nowMs: number) => {
  const rooms = limits
    .filter((limit) => !isPaced(limit))
    .map((limit) => ({ limit, left: roomIn(state, limit, nowMs) - openIn(state, limit) }));
  // A request that costs more than the whole quota takes all of it.
  const weightIn = (limit: KnownLimit, lane: Lane) => Math.min(laneWeight(limit, lane), grantedOf(limit));
  return {
    has: (lane: Lane) => rooms.every(({ limit, left }) => left >= weightIn(limit, lane)),
    take(lane: Lane) {
      for (const room of rooms) room.left -= weightIn(room.limit, lane);
    },
  };
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
  const slots: ByLane<number[]> = byLane(() => []);
  const step = 1 / Math.max(1, me.weight);
  // A slot just past is as good as one used slightly late.
  const earliest = Math.max(
    nowMs - late / 2,
    state.pausedUntil > nowMs ? state.pausedUntil + afterPauseMs : 0,
  );
  for (const [lane, spare] of Object.entries(state.spare))
    state.spare[lane] = spare.filter((at) => at >= earliest);
  const starts = createStarts(state, limits, earliest, nowMs);
  const rooms = createRooms(state, limits, nowMs);
  const hungry = new Set<Lane>();
  let nextMs: number | null = null;
  let open = Object.entries(ask.want)
    .filter(([, wanted]) => wanted > 0)
    .map(([lane, wanted]) => ({
      lane,
      wanted: Math.ceil(wanted),
      turn: fairTurn(state, limits, lane, { process, horizon, nowMs }),
    }));
  while (open.length > 0) {
    open = open.filter((each) => {
      const { lane, turn } = each;
      if (each.wanted <= 0) return false;
      const spare = state.spare[lane]?.[0];
      const at = spare ?? starts.next(lane, nowMs + horizon);
      const mayHave = at <= nowMs + nearMs || turn.mayTake();
      const hasRoom = rooms.has(lane);
      if (!hasRoom || at > nowMs + horizon || !mayHave) {
        nextMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, hasRoom ? at : nowMs + horizon);
        hungry.add(lane);
        return false;
      }
      if (spare === undefined) starts.take(lane, at);
      else state.spare[lane]?.shift();
      (slots[lane] ??= []).push(at);
      each.wanted -= 1;
      rooms.take(lane);
      me.served[lane] = (me.served[lane] ?? 0) + step;
      return true;
    });
  }
  me.hungry = [...hungry];
  return { slots, nextMs };
};

/** Takes back future slots that a process no longer needs. */
export const giveBack = (
  state: AccountState,
  returned: Readonly<Record<Lane, readonly number[]>>,
  nowMs: number,
): void => {
  for (const [lane, times] of Object.entries(returned)) {
    const more = times.filter((at) => at > nowMs);
    if (more.length > 0)
      state.spare[lane] = [...(state.spare[lane] ?? []), ...more].toSorted((a, b) => a - b);
  }
};
