import type { RateLimit } from "@portage/connector-kit";
import type { Circuit } from "../circuit/circuit.ts";
import { packUsage, unpackUsage, type Usage } from "./usage.ts";

export type Side = "source" | "destination";

/** `any`, unless the tool counts reads and writes apart. */
export type Lane = "any" | "read" | "write";

export const sides: readonly Side[] = ["source", "destination"];
export const lanes: readonly Lane[] = ["any", "read", "write"];

/** How a limit is tried out: what a tool allows beyond it is found in small steps, seldom when they fail. */
export interface Raise {
  at: number;
  step: number;
  waitMs: number;
  trial: { from: number; until: number } | null;
}

/** A limit as it is believed at the moment. */
export interface KnownLimit {
  requests: number;
  perMs: number;
  only?: "read" | "write";
  /** What the manifest declares; null where only the tool's answers speak of this limit. */
  declared: number | null;
  /** By headers that tell what is left, so that nothing has to be tried out. */
  told: boolean;
  /** When the next start may be, for limits that are kept by spacing starts. */
  nextAt: number;
  /** Since when somebody has waited for starts without a break; null while nobody does. */
  waitedSince: number | null;
  /** Until then starts are counted too, because some that were lost were made up for. */
  countedUntil: number;
  raise: Raise;
}

export interface PlacesHeld {
  have: number;
  want: number;
  /** Since when it has had none, or some. */
  since: number;
}

/** A process that uses the account. */
export interface Member {
  at: number;
  /** Until then its places are its own; renewed while it lives. */
  until: number;
  /** How many runs wait in it. */
  weight: number;
  /** Slots had, per run: who is behind comes first. */
  served: number;
  /** Whether it got less than it asked for. */
  hungry: boolean;
  /** Slots that it holds and requests not yet counted. */
  open: number;
  places: Record<Side, PlacesHeld>;
}

/** Answers 429 that belong together: from the first until the tool takes requests again. */
export interface Refused {
  /** When the first request that was refused had started. */
  firstMs: number;
  /** When a process last told of one. */
  notedMs: number;
  /** The earliest moment that the quota can be free again by what was told; null where nothing was. */
  freeMs: number | null;
}

/** What headers say of a quota. */
export interface Told {
  /** The window that this is taken for. */
  perMs: number;
  /** Whether one window has been seen to end and the next to begin. */
  hasTurned: boolean;
  /** The longest until the quota is full again, and the most that was left of it, of all that was told. */
  longestMs: number;
  most: number;
  /** The least that was left since. */
  sinceMs: number;
  least: number;
  /** When the quota is said to be full again, and since when that has been the same moment. */
  edgeMs: number;
  edgeSinceMs: number;
  /** What was left when, by the request that started last. */
  left: { remaining: number; atMs: number };
  /** That moment stays where it is while requests go on: until then nothing comes back, and what is left must last. */
  isFixed: boolean;
}

/** Of this shape; a row of another is not understood, and begins anew. */
const shape = 1;

/** What all processes share about one account. All moments are by the database's clock. */
export interface AccountState {
  /** When this was written. */
  atMs: number;
  limits: Record<string, KnownLimit>;
  /** Slots that were given back, still to come. */
  spare: Record<Lane, number[]>;
  pausedUntil: number;
  usage: Usage;
  refused: Refused | null;
  /** Requests that started before this belong to refusals that conclusions were drawn from. */
  settledMs: number;
  /** Refusals in a row that did not say how long to wait. */
  silentRefusals: number;
  told: Told | null;
  latencyMs: number;
  circuit: Circuit | null;
  members: Record<string, Member>;
}

export const freshState = (): AccountState => ({
  atMs: 0,
  limits: {},
  spare: { any: [], read: [], write: [] },
  pausedUntil: 0,
  usage: [],
  refused: null,
  settledMs: 0,
  silentRefusals: 0,
  told: null,
  latencyMs: 0,
  circuit: null,
  members: {},
});

export const toStored = ({ usage, ...state }: AccountState): object => ({
  shape,
  ...state,
  usage: packUsage(usage),
});

export const fromStored = (stored: unknown): AccountState | null => {
  const { shape: found, usage, ...state } = (stored ?? {}) as { shape?: number; usage: number[] };
  return found === shape ? { ...(state as AccountState), usage: unpackUsage(usage) } : null;
};

export const keyOf = ({ perMs, only }: Pick<RateLimit, "perMs" | "only">): string =>
  only === undefined ? String(perMs) : `${perMs}:${only}`;

/** The limits that count: what the tool's answers taught, and what the manifest declares as it was learned since. */
export const countingLimits = (state: AccountState, declared: readonly RateLimit[]): KnownLimit[] => {
  const keys = new Set(declared.map(keyOf));
  return Object.entries(state.limits).flatMap(([key, limit]) =>
    limit.declared === null || keys.has(key) ? [limit] : [],
  );
};

const declaredTrialWindows = 10;

/** A declared limit is where learning starts; a manifest that says something else than before starts anew. */
export const declareLimits = (state: AccountState, declared: readonly RateLimit[], nowMs: number): void => {
  for (const { requests, perMs, only } of declared) {
    const key = keyOf({ perMs, ...(only ? { only } : {}) });
    const known = state.limits[key];
    if (known && (known.declared === null || known.declared === requests)) {
      known.declared = requests;
      continue;
    }
    state.limits[key] = {
      requests,
      perMs,
      ...(only ? { only } : {}),
      declared: requests,
      told: false,
      nextAt: known?.nextAt ?? 0,
      waitedSince: null,
      countedUntil: 0,
      raise: { at: nowMs + declaredTrialWindows * perMs, step: 0.02, waitMs: perMs, trial: null },
    };
  }
};
