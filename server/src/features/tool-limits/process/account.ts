import { ConnectorError, type RateLimit } from "@portage/connector-kit";
import { type Call, defaultRetryPolicy, type Learned } from "@portage/connector-kit/http";
import {
  type AccountState,
  freshState,
  fromStored,
  type Side,
  sides,
  toStored,
} from "../state/account-state.ts";
import { advanceAccount, type SlotLease, type ProcessReport } from "./advance.ts";
import { createBreaker } from "../circuit/breaker.ts";
import { createFailureTally } from "../circuit/circuit.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { createDemand } from "./demand.ts";
import type { Participant, RowUpdate } from "./exchange.ts";
import { createFindings } from "./findings.ts";
import { createGate, type Rules } from "./gate.ts";
import { isCalm } from "./is-calm.ts";
import { type Lane, laneOf, laneRuleOf } from "../state/lanes.ts";
import { restore, withClockSetBack } from "../state/restore.ts";
import { createSchedule } from "./schedule.ts";
import type { ToolHealth } from "./tool-health.ts";
import type { Waiter } from "./waiting-line.ts";

export interface AccountNeeds {
  readonly tool: string;
  readonly accountId: string;
  readonly process: string;
  readonly clock: DatabaseClock;
  readonly now: () => number;
  readonly health: ToolHealth;
  /** Schedules an exchange with the database. */
  readonly wake: (at: number) => void;
}

export interface Ask {
  readonly run: string;
  readonly side: Side;
  readonly call: Call;
}

const mapTimes = (
  times: Readonly<Record<Lane, readonly number[]>>,
  change: (ms: number) => number,
): Record<Lane, number[]> =>
  Object.fromEntries(Object.entries(times).map(([lane, each]) => [lane, each.map(change)]));

/** Longer waits belong to the engine, which can do other work meanwhile. */
const longWaitMs = defaultRetryPolicy.maxDelayMs;

/** One account of a tool as this process sees it. */
export const createAccount = (needs: AccountNeeds) => {
  const { tool, accountId, process, clock, now, health, wake } = needs;
  const schedule = createSchedule(now, wake);
  const findings = createFindings();
  const tally = createFailureTally();
  const breaker = createBreaker(process, schedule.urge);
  let limits: readonly RateLimit[] = [];
  let concurrency = 1;
  let isClosed = false;
  let lagMs = 0;
  /** Whether the request that has just started is a circuit's probe. */
  let isProbe = false;
  let lease: SlotLease | null = null;
  /** The last written state, in case the table loses it. */
  let known: AccountState | null = null;
  const databaseNow = () => clock.toDatabase(now());
  const laneRule = () => lease?.laneRule ?? laneRuleOf(limits);

  const gate = createGate({
    now,
    mayStart: () =>
      (breaker.isClosed() || breaker.mayStart(databaseNow())) &&
      (health.breaker.isClosed() || health.breaker.mayStart(databaseNow())),
    started() {
      schedule.used();
      const isTried = breaker.started();
      isProbe = health.breaker.started() || isTried;
    },
    starving: schedule.starve,
    crowded() {
      const { places } = gate.rules() as Rules;
      // If this process has all places, no other process can release one.
      if (sides.some((side) => gate.line.waiting[side] > 0 && places[side] < concurrency)) schedule.crowded();
    },
  });
  const demand = createDemand(gate, now);

  const refusal = (code: string, does: string, retryAfterMs: number) =>
    new ConnectorError({
      recovery: "retry",
      code,
      message: `${tool} ${does}.`,
      retryAfterMs: Math.ceil(retryAfterMs),
    });

  const closing = () =>
    refusal("unavailable", "gets no more requests from this process, which is closing", 1_000);

  /** Why the caller may not even wait in line; null if it may. */
  const turnedAway = (isFirst: boolean): ConnectorError | null => {
    const at = databaseNow();
    const awayMs = Math.max(breaker.awayMs(at, isFirst), health.breaker.awayMs(at, isFirst));
    if (awayMs > 0)
      return refusal("unavailable", "has failed repeatedly and gets no requests for a while", awayMs);
    const pauseMs = gate.pausedUntil() - now();
    return pauseMs > longWaitMs ? refusal("rate_limited", "asks us to slow down", pauseMs) : null;
  };

  const turnAway = () => {
    if (gate.line.size() === 0) return;
    if (!turnedAway(false)) return;
    const waiters = gate.line.clear();
    for (const [index, waiter] of waiters.entries()) {
      const error = turnedAway(index === 0);
      if (error) waiter.giveUp(error);
      else gate.line.add(waiter);
    }
  };

  const place = (side: Side, lane: Lane) => {
    const hasTried = isProbe;
    let isHeld = true;
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        if (hasTried) {
          breaker.probeReleased();
          health.breaker.probeReleased();
        }
        gate.release(side, lane);
        // The place is no longer this process's: another process waits for it.
        if (gate.running[side] >= (gate.rules()?.places[side] ?? 0)) schedule.soon();
      },
    };
  };

  const wait = ({ run, side, call }: Ask, signal: AbortSignal) =>
    new Promise<{ release(): void }>((resolve, reject) => {
      const leave = () => {
        gate.line.remove(waiter);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        run,
        side,
        call,
        start(lane) {
          signal.removeEventListener("abort", leave);
          resolve(place(side, lane));
        },
        giveUp(error) {
          signal.removeEventListener("abort", leave);
          reject(error);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      demand.noteWait(run, laneOf(call, laneRule()));
      gate.wait(waiter);
    });

  /** Pauses until the later of the row's pause and what answers have said since. */
  const pause = () =>
    gate.pauseUntil(clock.toLocal(Math.max(lease?.pausedUntil ?? 0, findings.pausedUntil())));

  const follow = (next: SlotLease) => {
    lease = next;
    breaker.set(next.circuit);
    health.touch();
    const local = (ms: number) => clock.toLocal(ms);
    pause();
    gate.setRules(
      {
        isLimited: next.isLimited,
        laneRule: next.laneRule,
        lateMs: next.lateMs,
        chargedLateMs: next.chargedLateMs,
        places: next.places,
        until: local(next.placesUntil) - 1_000,
        isUnsettled: next.isUnsettled,
      },
      mapTimes(next.slots, local),
    );
    schedule.leased(next, next.nextMs === null ? null : local(next.nextMs), gate.pausedUntil());
    turnAway();
    gate.pump();
  };

  const isOver = () =>
    isClosed ||
    (schedule.isOver() && gate.line.size() + gate.running.source + gate.running.destination === 0);

  const speak = (): RowUpdate => {
    const isLeaving = isOver();
    const asked = demand.take(laneRule(), lease?.isShared ? 1_000 : 2_000);
    const observations = findings.take();
    const circuit = breaker.takeNews();
    const returned = mapTimes(asked.returned, clock.toDatabase);
    const report: ProcessReport = {
      process,
      limits,
      concurrency,
      lagMs,
      ...asked,
      returned,
      ...observations,
      circuit,
      isLeaving,
    };
    const spokeAt = now();
    let answer: SlotLease | null = null;
    let changed: AccountState | null = null;
    return {
      next(stored, nowMs) {
        const state = withClockSetBack(fromStored(stored) ?? freshState(), nowMs);
        if (lease && schedule.isQuiet() && isCalm(state, report, nowMs)) return null;
        const isMissed = lease !== null && nowMs < lease.placesUntil && !state.members[process];
        if (isMissed && known) restore(state, withClockSetBack(structuredClone(known), nowMs), nowMs);
        changed = state;
        answer = advanceAccount(changed, report, nowMs);
        return toStored(changed);
      },
      heard(isWritten) {
        lagMs = Math.max(lagMs * 0.9, now() - spokeAt);
        if (!isWritten) {
          findings.putBack(observations, databaseNow());
          breaker.set(null);
          return schedule.quiet();
        }
        known = changed;
        if (answer) follow(answer);
        if (!isLeaving) return;
        lease = null;
        gate.setRules(null, null);
        if (gate.line.size() > 0) schedule.urge();
        else schedule.ended();
      },
      lost(why) {
        demand.putBack(asked);
        findings.putBack(observations, databaseNow());
        breaker.putBack(circuit);
        schedule.lost(why);
      },
    };
  };

  return {
    tool,
    accountId,
    /** Whether no request here uses the account any more, and the row shows it. */
    isLeft: () => lease === null && isOver(),
    declare(next: readonly RateLimit[], places: number) {
      limits = next;
      concurrency = Math.max(1, places);
    },
    take(ask: Ask, signal: AbortSignal): Promise<{ release(): void }> {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (isClosed) return Promise.reject(closing());
      const lane = gate.line.size() === 0 ? gate.tryStart(ask.call, ask.side) : null;
      if (lane !== null) return Promise.resolve(place(ask.side, lane));
      const error = turnedAway(gate.line.size() === 0);
      return error ? Promise.reject(error) : wait(ask, signal);
    },
    learn(answer: Learned) {
      const at = databaseNow();
      const start = at - (answer.tookMs ?? 0);
      findings.note(answer, answer.call ? laneOf(answer.call, laneRule()) : "any", start, at);
      const verdict = tally.note(answer.status, answer.failure, at);
      if (verdict === "alive") {
        breaker.alive();
        health.alive(accountId, at);
      } else if (verdict !== null) {
        breaker.failed(at);
        health.breaker.failed(at);
        if (verdict === "broken" && answer.retryAfterMs === null) {
          tally.clear();
          breaker.broken();
          health.accountBroke(accountId, at);
        }
      }
      if (!findings.isUrgent(lease?.isLimited ?? false)) return;
      pause();
      turnAway();
      schedule.urge();
    },
    participant: {
      tool,
      accountId,
      dueAt: schedule.dueAt,
      speak,
    } satisfies Participant,
    close() {
      isClosed = true;
      if (lease) schedule.urge();
      for (const waiter of gate.line.clear()) waiter.giveUp(closing());
      gate.close();
    },
  };
};

export type AccountLimiter = ReturnType<typeof createAccount>;
