import type { RateLimit, Role as Side } from "@portage/connector-kit";
import type { Circuit } from "../circuit/circuit.ts";
import { packUsage, unpackUsage, type Usage } from "./usage.ts";

export type { Side };

/** `any`, unless the tool counts reads and writes separately. */
export type Lane = "any" | "read" | "write";

export const sides: readonly Side[] = ["source", "destination"];
export const lanes: readonly Lane[] = ["any", "read", "write"];

/** How a limit is raised: in small steps that find what the tool allows beyond it, rarely after failures. */
export interface Raise {
  at: number;
  step: number;
  waitMs: number;
  trial: { from: number; until: number } | null;
}

/** A limit as currently believed. */
export interface KnownLimit {
  requests: number;
  perMs: number;
  only?: "read" | "write";
  /** What the manifest declares; null if the limit is known only from the tool's answers. */
  declared: number | null;
  /** Known from headers with the remainder, so that no trial raises are needed. */
  told: boolean;
  /** When the next request may start, for limits kept by spacing starts. */
  nextAt: number;
  /** Since when requests have waited without a break; null while none waits. */
  waitedSince: number | null;
  /** Until then starts are counted too, because lost starts were made up for. */
  countedUntil: number;
  raise: Raise;
}

export interface PlacesHeld {
  have: number;
  want: number;
  /** Since when it has had this many places. */
  since: number;
}

/** A process that uses the account. */
export interface Member {
  at: number;
  /** Until then its places are its own; each report renews it. */
  until: number;
  /** The number of runs that wait in it. */
  weight: number;
  /** Slots granted per run: the process with the fewest comes first. */
  served: number;
  /** Whether it got less than it asked for. */
  hungry: boolean;
  /** Slots that it holds, and requests not yet counted. */
  open: number;
  places: Record<Side, PlacesHeld>;
}

/** 429 answers that belong together: from the first until the tool accepts requests again. */
export interface RefusalBurst {
  /** When the first refused request started. */
  firstMs: number;
  /** When a process last reported one. */
  notedMs: number;
  /** The earliest time that the quota can be free again, as the answers said; null if none said. */
  freeMs: number | null;
}

/** What headers say about a quota. */
export interface QuotaReport {
  /** The window that the quota is assumed to have. */
  perMs: number;
  /** Whether one window was seen to end and the next to begin. */
  hasTurned: boolean;
  /** The longest time until the quota is full again, and the largest remainder, of all answers. */
  longestMs: number;
  most: number;
  /** The smallest remainder since `sinceMs`. */
  sinceMs: number;
  least: number;
  /** When the quota is full again according to headers, and since when they have said so. */
  edgeMs: number;
  edgeSinceMs: number;
  /** The remainder, and its time, from the request that started last. */
  left: { remaining: number; atMs: number };
  /** The edge stays the same while requests go on: nothing comes back before it, so the remainder must last. */
  isFixed: boolean;
}

/** The version of the stored shape; a row with another version starts fresh. */
const shape = 1;

/** What all processes share about one account. All times are in the database's clock. */
export interface AccountState {
  /** When this was written. */
  atMs: number;
  limits: Record<string, KnownLimit>;
  /** Returned slots whose time is still to come. */
  spare: Record<Lane, number[]>;
  pausedUntil: number;
  usage: Usage;
  refused: RefusalBurst | null;
  /** Requests that started before this belong to refusals already concluded. */
  settledMs: number;
  /** Consecutive refusals that did not say how long to wait. */
  silentRefusals: number;
  /** By the quota's name. */
  quotas: Record<string, QuotaReport>;
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
  quotas: {},
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
  // Defaults first: a process of an earlier release may have written the row.
  return found === shape
    ? { ...freshState(), ...(state as AccountState), usage: unpackUsage(usage) }
    : null;
};

export const limitKey = ({ perMs, only }: Pick<RateLimit, "perMs" | "only">): string =>
  only === undefined ? String(perMs) : `${perMs}:${only}`;

/** The limits in force: those learned from answers, and those that the manifest declares, as learned since. */
export const countingLimits = (state: AccountState, declared: readonly RateLimit[]): KnownLimit[] => {
  const keys = new Set(declared.map(limitKey));
  return Object.entries(state.limits).flatMap(([key, limit]) =>
    limit.declared === null || keys.has(key) ? [limit] : [],
  );
};

const declaredTrialWindows = 10;

/** Learning starts from a declared limit; a manifest that declares another number starts over. */
export const declareLimits = (state: AccountState, declared: readonly RateLimit[], nowMs: number): void => {
  for (const { requests, perMs, only } of declared) {
    const key = limitKey({ perMs, ...(only ? { only } : {}) });
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
