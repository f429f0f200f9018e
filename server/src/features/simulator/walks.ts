import type { Payer } from "@portage/contract";
import { type ImportEvent, type ImportState, isPaid, signInNeeded } from "../imports/index.ts";

export const scenarios = ["happy", "warnings", "expired_sign_in", "rejected", "undo"] as const;

export type Scenario = (typeof scenarios)[number];

/** The scenario that a reference names, alone or before a colon and the partner's own text; else `happy`. */
export const scenarioOf = (reference: string | null): Scenario =>
  scenarios.find((scenario) => reference === scenario || reference?.startsWith(`${scenario}:`)) ?? "happy";

/** One thing that happens by itself: the customer acts, or time passes. */
export interface SimulatedTurn {
  /** The delay after the previous turn. */
  readonly afterMs: number;
  /** Absent: wherever the transition table accepts its first event. */
  readonly when?: (state: ImportState) => boolean;
  readonly events: (state: ImportState, payer: Payer) => readonly ImportEvent[];
  /** Whether the customer must sign in from then on; absent: unchanged. */
  readonly waits?: boolean;
}

export const runMs = { sample: 3_000, full: 4_000, undo: 3_000 } as const;
const answerWithinMs = 5_000;
const signInMs = 3_000;

const isMoving = ({ liveRun }: ImportState) => liveRun === "full";

const ended = (afterMs: number): SimulatedTurn => ({ afterMs, events: () => [{ type: "run_done" }] });

const untilAsked: readonly SimulatedTurn[] = [
  {
    afterMs: 1_000,
    events: () => [
      { type: "connected", side: "source" },
      { type: "connected", side: "destination" },
    ],
  },
  { afterMs: 1_000, events: () => [{ type: "sample_started" }] },
  ended(runMs.sample),
  {
    afterMs: 1_000,
    when: ({ status }) => status === "sample_completed",
    events: (_, payer) => [{ type: "full_asked", payer }],
  },
];

const bought: SimulatedTurn = {
  afterMs: answerWithinMs,
  when: (state) => state.asked && !isPaid(state),
  events: () => [{ type: "bought" }],
};

const started: SimulatedTurn = {
  afterMs: 1_000,
  events: (state) => [...(isPaid(state) ? [] : [{ type: "bought" } as const]), { type: "full_started" }],
};

const untilMoved: readonly SimulatedTurn[] = [...untilAsked, bought, started, ended(runMs.full)];

const expiring: readonly SimulatedTurn[] = [
  {
    afterMs: runMs.full / 2,
    when: isMoving,
    events: () => [{ type: "attention_required", reason: signInNeeded("source") }],
    waits: true,
  },
  {
    afterMs: signInMs,
    when: isMoving,
    events: () => [{ type: "connected", side: "source" }],
    waits: false,
  },
];

/** The turns of each scenario. A turn that does not fit the import's state is skipped. */
export const walks: Readonly<Record<Scenario, readonly SimulatedTurn[]>> = {
  happy: untilMoved,
  warnings: untilMoved,
  expired_sign_in: [...untilAsked, bought, started, ...expiring, ended(runMs.full / 2)],
  rejected: [
    ...untilAsked,
    {
      afterMs: answerWithinMs,
      when: ({ asked, sponsoredFullStarted }) => asked && !sponsoredFullStarted,
      events: () => [{ type: "sponsorship_rejected" }],
    },
  ],
  undo: [...untilMoved, { afterMs: 1_000, events: () => [{ type: "undo_started" }] }, ended(runMs.undo)],
};
