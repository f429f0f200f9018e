import type { EventType, Payer, StatusCode } from "@portage/contract";
import { type ImportEvent, type ImportState, step } from "../imports/index.ts";
import { type Scenario, type SimulatedTurn, walks } from "./walks.ts";

/** The state of a simulated import, and its next turn. */
export interface Played {
  readonly scenario: Scenario;
  readonly payer: Payer;
  readonly state: ImportState;
  /** The customer must sign in again before it continues. */
  readonly waits: boolean;
  readonly turn: number;
  /** Null: no turn is left. */
  readonly turnAt: Date | null;
  readonly runSince: Date | null;
  /** When the last turn or action happened. */
  readonly activeAt: Date;
}

/** An event that a step sends to the partner. */
export interface SimulatedEvent<P extends Played = Played> {
  readonly type: EventType;
  readonly status: StatusCode;
  readonly previousStatus: StatusCode | null;
  /** The simulation when it happened. */
  readonly played: P;
  readonly at: Date;
}

export interface SimulatedStep<P extends Played> {
  readonly kind: "moved" | "unchanged" | "refused";
  readonly played: P;
  readonly events: readonly SimulatedEvent<P>[];
}

const fits = ({ when, events }: SimulatedTurn, { state, payer }: Played) => {
  const [first] = events(state, payer);
  return (when?.(state) ?? true) && first !== undefined && step(state, first).kind !== "refused";
};

/** Schedules the first turn from `from` on that fits; a turn that is scheduled already keeps its time. */
const toNextTurn = <P extends Played>(played: P, from: number, at: Date): P => {
  const walk = walks[played.scenario];
  const next = played.state.closed ? -1 : walk.findIndex((turn, no) => no >= from && fits(turn, played));
  const turn = walk[next];
  if (!turn) return { ...played, turn: walk.length, turnAt: null };
  if (next === played.turn && played.turnAt) return played;
  return { ...played, turn: next, turnAt: new Date(at.getTime() + turn.afterMs) };
};

const applied = <P extends Played>(played: P, event: ImportEvent, at: Date): SimulatedStep<P> => {
  const result = step(played.state, event);
  if (result.kind !== "moved") return { kind: result.kind, played, events: [] };
  const { state, effects } = result;
  const isSameRun = state.liveRun === played.state.liveRun;
  const after: P = {
    ...played,
    state,
    activeAt: at,
    runSince: isSameRun ? played.runSince : state.liveRun && at,
    waits: played.waits && isSameRun,
  };
  return {
    kind: "moved",
    played: after,
    events: effects.flatMap((effect) => {
      if (effect.kind !== "notify") return [];
      const changed = effect.type === "import.status_changed" ? effect : null;
      return [
        {
          type: effect.type,
          status: changed?.to ?? state.status,
          previousStatus: changed?.from ?? null,
          played: after,
          at,
        },
      ];
    }),
  };
};

/** Applies an action from outside: the partner accepts, rejects or cancels. */
export const play = <P extends Played>(played: P, event: ImportEvent, at: Date): SimulatedStep<P> => {
  const moved = applied(played, event, at);
  return { ...moved, played: toNextTurn(moved.played, moved.played.turn, at) };
};

/** Schedules the first turn of a walk. */
export const begin = <P extends Played>(played: P, at: Date): P =>
  toNextTurn({ ...played, turn: 0, turnAt: null }, 0, at);

const takeTurn = <P extends Played>(before: P, at: Date): SimulatedStep<P> => {
  const turn = walks[before.scenario][before.turn];
  let played = before;
  const events: SimulatedEvent<P>[] = [];
  for (const event of turn?.events(played.state, played.payer) ?? []) {
    const moved = applied(played, event, at);
    played = moved.played;
    events.push(...moved.events);
  }
  const waits = turn?.waits ?? played.waits;
  return {
    kind: "moved",
    played: toNextTurn({ ...played, waits, activeAt: at }, before.turn + 1, at),
    events,
  };
};

/** Plays all turns that are due by now, each at its own time, however late the caller comes. */
export const advanceSimulation = <P extends Played>(before: P, now: Date): SimulatedStep<P> => {
  let played = before;
  const events: SimulatedEvent<P>[] = [];
  while (played.turnAt && played.turnAt <= now) {
    const moved = takeTurn(played, played.turnAt);
    played = moved.played;
    events.push(...moved.events);
  }
  return { kind: played === before ? "unchanged" : "moved", played, events };
};
