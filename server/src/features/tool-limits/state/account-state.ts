import type { CountedRequests, RateLimit, Role as Side } from "@portage/connector-kit";
import type { Circuit } from "../circuit/circuit.ts";
import { type ByLane, byLane, type Lane, laneWeight, sumIn } from "./lanes.ts";
import { packUsage, unpackUsage, type Usage } from "./usage.ts";

export type { Side };

export const sides: readonly Side[] = ["source", "destination"];

/** How a limit is raised: in small steps that find what the tool allows beyond it, rarely after failures. */
export interface Raise {
  at: number;
  step: number;
  waitMs: number;
  trial: { from: number; until: number } | null;
}

/** A limit as currently believed. */
export interface KnownLimit extends CountedRequests {
  requests: number;
  perMs: number;
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
  served: Record<Lane, number>;
  /** The lanes in which it got less than it asked for. */
  hungry: readonly Lane[];
  /** Slots that it holds, and requests not yet counted. */
  open: Readonly<Record<Lane, number>>;
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
export interface QuotaReport extends CountedRequests {
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
const shape = 2;

/** What all processes share about one account. All times are in the database's clock. */
export interface AccountState {
  /** When this was written. */
  atMs: number;
  limits: Record<string, KnownLimit>;
  /** Returned slots whose time is still to come. */
  spare: ByLane<number[]>;
  pausedUntil: number;
  usage: Usage;
  /** The same by lane, for limits that do not count every request as one. */
  usageBy: Record<Lane, Usage>;
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
  spare: byLane(() => []),
  pausedUntil: 0,
  usage: [],
  usageBy: {},
  refused: null,
  settledMs: 0,
  silentRefusals: 0,
  quotas: {},
  latencyMs: 0,
  circuit: null,
  members: {},
});

const mapValues = <A, B>(of: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));

export const toStored = ({ usage, usageBy, ...state }: AccountState): object => ({
  shape,
  ...state,
  usage: packUsage(usage),
  usageBy: mapValues(usageBy, packUsage),
});

interface StoredUsage {
  readonly usage: readonly number[];
  readonly usageBy: Readonly<Record<Lane, readonly number[]>>;
}

export const fromStored = (stored: unknown): AccountState | null => {
  const { shape: found, usage, usageBy, ...state } = (stored ?? {}) as { shape?: number } & StoredUsage;
  return found === shape
    ? {
        ...(state as unknown as AccountState),
        usage: unpackUsage(usage),
        usageBy: mapValues(usageBy, unpackUsage),
      }
    : null;
};

const countsAll = ({ only, class: name, by }: CountedRequests) => (only ?? name ?? by) === undefined;

/** What the limit counts of all that was used. */
export const usageIn = ({ usage, usageBy }: AccountState, limit: CountedRequests): Usage =>
  countsAll(limit)
    ? usage
    : Object.entries(usageBy)
        .flatMap(([lane, used]) => {
          const weight = laneWeight(limit, lane);
          return weight === 0 ? [] : used.map(([from, count]) => [from, count * weight] as const);
        })
        .toSorted(([a], [b]) => a - b);

/** What the limit counts of the slots that are granted and the requests that are not yet counted. */
export const openIn = ({ members }: AccountState, limit: CountedRequests): number =>
  Object.values(members).reduce((sum, { open }) => sum + sumIn(limit, open), 0);

export const countedOf = ({ only, class: name, by }: CountedRequests): CountedRequests => ({
  ...(only && { only }),
  ...(name && { class: name }),
  ...(by && { by }),
});

export const limitKey = ({ perMs, only, class: name, by }: Omit<RateLimit, "requests">): string =>
  [perMs, ...[only, name, by].filter((part) => part !== undefined)].join(":");

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
  for (const { requests, perMs, ...counted } of declared) {
    const key = limitKey({ perMs, ...counted });
    const known = state.limits[key];
    if (known && (known.declared === null || known.declared === requests)) {
      known.declared = requests;
      continue;
    }
    state.limits[key] = {
      ...countedOf(counted),
      requests,
      perMs,
      declared: requests,
      told: false,
      nextAt: known?.nextAt ?? 0,
      waitedSince: null,
      countedUntil: 0,
      raise: { at: nowMs + declaredTrialWindows * perMs, step: 0.02, waitMs: perMs, trial: null },
    };
  }
};
