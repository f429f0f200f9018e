import type { RateLimit } from "@portage/connector-kit";
import {
  type AccountState,
  countingLimits,
  declareLimits,
  type Member,
  type Side,
  sides,
  usageIn,
} from "../state/account-state.ts";
import { type CircuitNews, type Circuit, nextCircuit } from "../circuit/circuit.ts";
import { giveBack, grantSlots } from "./grant-slots.ts";
import { type HeaderNews, learnFromHeaders } from "../learning/learn-from-headers.ts";
import { concludeRefusal, raiseLimits } from "../learning/learn-limits.ts";
import { type ByLane, byLane, type Lane, type LaneRule, laneRuleOf } from "../state/lanes.ts";
import { charge, missSince } from "../state/make-up.ts";
import { chargedLateMs, lateMs } from "../state/pace.ts";
import { noteRefusals, type RefusalNews } from "../learning/refusals.ts";
import { sharePlaces } from "./share-places.ts";
import { addUse, countSince, type Usage } from "../state/usage.ts";

/** What one process has seen since its last report, and what it wants. */
export interface ProcessReport {
  readonly process: string;
  readonly limits: readonly RateLimit[];
  readonly concurrency: number;
  /** The number of runs that waited. */
  readonly weight: number;
  readonly want: Readonly<Record<Lane, number>>;
  /** The database's recent response time. */
  readonly lagMs: number;
  readonly returned: Readonly<Record<Lane, readonly number[]>>;
  /** Slots that it holds, and running requests. */
  readonly open: Readonly<Record<Lane, number>>;
  /** Slots used so late that they count as additional starts. */
  readonly charged: Readonly<Record<Lane, number>>;
  readonly places: Readonly<Record<Side, { readonly want: number; readonly running: number }>>;
  readonly used: Usage;
  /** The same by lane, if there is more than one. */
  readonly usedBy: Readonly<Record<Lane, Usage>>;
  readonly refused: RefusalNews | null;
  /** By the quota's name. */
  readonly headers: Readonly<Record<string, HeaderNews>>;
  /** A pause requested without a refusal: the tool is under maintenance. */
  readonly pauseUntil: number;
  /** Recent latency of answers; null if there were none. */
  readonly latencyMs: number | null;
  readonly circuit: CircuitNews | null;
  /** The process leaves: what it holds is free. */
  readonly isLeaving: boolean;
}

/** What the process may do until its next report. All times are in the database's clock. */
export interface SlotLease {
  readonly isLimited: boolean;
  readonly laneRule: LaneRule;
  readonly slots: Readonly<ByLane<readonly number[]>>;
  /** When to ask again for slots that could not be granted; null if all were. */
  readonly nextMs: number | null;
  readonly lateMs: number;
  readonly chargedLateMs: number;
  readonly places: Readonly<Record<Side, number>>;
  readonly placesUntil: number;
  readonly pausedUntil: number;
  /** Whether a refusal is not yet concluded: until then no request starts. */
  readonly isUnsettled: boolean;
  readonly circuit: Circuit | null;
  readonly isShared: boolean;
}

/** How long a process that does not report keeps its places. */
export const membershipMs = 10_000;
const settlingMs = 3_000;
const keptMs = 3_600_000;

const newMember = (nowMs: number): Member => ({
  at: nowMs,
  until: nowMs + membershipMs,
  weight: 0,
  served: {},
  hungry: [],
  open: {},
  places: {
    source: { have: 0, want: 0, since: nowMs },
    destination: { have: 0, want: 0, since: nowMs },
  },
});

/** Every process has reported what the tool accepted since the refusal, or has had the time to. */
const haveAllReported = (state: AccountState, nowMs: number) =>
  state.refused !== null &&
  nowMs >= state.pausedUntil &&
  (nowMs > state.refused.notedMs + settlingMs ||
    Object.values(state.members).every(({ at }) => at > (state.refused?.notedMs ?? 0)));

const learn = (state: AccountState, report: ProcessReport, nowMs: number) => {
  const longest = Math.max(keptMs, ...Object.values(state.limits).map(({ perMs }) => perMs * 1.05));
  if (report.latencyMs !== null) state.latencyMs += (report.latencyMs - state.latencyMs) / 4;
  state.usage = addUse(state.usage, report.used, nowMs, longest);
  for (const lane of new Set([...Object.keys(state.usageBy), ...Object.keys(report.usedBy)])) {
    const usage = addUse(state.usageBy[lane] ?? [], report.usedBy[lane] ?? [], nowMs, longest);
    if (usage.length > 0) state.usageBy[lane] = usage;
    else delete state.usageBy[lane];
  }
  declareLimits(state, report.limits, nowMs);
  if (report.refused) noteRefusals(state, report.refused, nowMs);
  state.pausedUntil = Math.max(state.pausedUntil, report.pauseUntil);
  for (const [name, news] of Object.entries(report.headers)) learnFromHeaders(state, name, news, nowMs);
  if (haveAllReported(state, nowMs) && state.refused) {
    concludeRefusal(state, countingLimits(state, report.limits), state.refused, nowMs);
    missSince(countingLimits(state, report.limits), state.refused.freeMs);
    state.refused = null;
    state.settledMs = nowMs;
  }
  raiseLimits(state, countingLimits(state, report.limits), nowMs);
};

/** Applies a process's report and grants its lease. Changes `state`, which is the caller's own copy. */
export const advanceAccount = (state: AccountState, report: ProcessReport, nowMs: number): SlotLease => {
  const { process } = report;
  state.atMs = nowMs;
  for (const [id, { until }] of Object.entries(state.members)) if (until <= nowMs) delete state.members[id];
  const me = (state.members[process] ??= newMember(nowMs));
  Object.assign(me, { at: nowMs, until: nowMs + membershipMs, weight: report.weight, open: report.open });
  learn(state, report, nowMs);
  state.circuit = nextCircuit(state.circuit, report.circuit, process, nowMs);
  const limits = countingLimits(state, report.limits);
  giveBack(state, report.returned, nowMs);
  charge(limits, report.charged, nowMs);
  const late = lateMs(limits);
  const charged = chargedLateMs(
    limits.map((limit) => ({
      ...limit,
      used: countSince(usageIn(state, limit), nowMs - limit.perMs, nowMs),
    })),
  );
  const isUnsettled = state.refused !== null && limits.length === 0;
  const granted =
    limits.length === 0
      ? { slots: byLane(() => []), nextMs: null }
      : grantSlots(state, limits, report, nowMs, late);
  for (const [lane, slots] of Object.entries(granted.slots))
    if (slots.length > 0) me.open = { ...me.open, [lane]: (me.open[lane] ?? 0) + slots.length };
  const places = Object.fromEntries(
    sides.map((side) => [
      side,
      sharePlaces(state, { process, side, ...report.places[side], total: report.concurrency }, nowMs),
    ]),
  ) as Record<Side, number>;
  if (report.isLeaving) delete state.members[process];
  return {
    isLimited: limits.length > 0,
    laneRule: laneRuleOf(limits),
    ...granted,
    lateMs: late,
    chargedLateMs: Math.max(late, charged),
    places,
    placesUntil: nowMs + membershipMs,
    pausedUntil: state.pausedUntil,
    isUnsettled,
    circuit: state.circuit,
    isShared: Object.keys(state.members).length > 1,
  };
};
