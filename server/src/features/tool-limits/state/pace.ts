import type { KnownLimit } from "./account-state.ts";

/** Starts are spaced for windows up to this; longer quotas are only counted, so that small work ends soon. */
const longestPacedMs = 120_000;

const marginShare = 0.005;
const leastMarginMs = 50;

/** How early or late requests may arrive relative to each other without exceeding a window. */
export const marginMs = (perMs: number): number => Math.max(perMs * marginShare, leastMarginMs);

/** Spacing by cost would not keep a window: a dear request after cheap ones exceeds it. */
export const isPaced = ({ perMs, by }: Pick<KnownLimit, "perMs" | "by">): boolean =>
  by !== "cost" && perMs <= longestPacedMs;

/**
 * Evenly spaced starts keep every window of the tool, fixed or sliding, wherever it begins: with this interval any
 * window of `perMs`, even one longer by the margin, holds at most `requests`.
 */
export const intervalMs = ({ requests, perMs }: Pick<KnownLimit, "requests" | "perMs">): number =>
  (perMs + marginMs(perMs)) / requests;

const busyShare = 0.5;

/** How late a slot may be used: half of the margin, the other half is the network's. */
export const lateMs = (limits: readonly Pick<KnownLimit, "perMs" | "by">[]): number =>
  Math.min(2_000, ...limits.filter(isPaced).map(({ perMs }) => marginMs(perMs) / 2));

/**
 * How late a slot may be used at a charge: it then counts as an additional start, so that one fewer is granted. While
 * less than half of each quota is used that costs nothing, and a run that asks occasionally finds a slot without
 * waiting.
 */
export const chargedLateMs = (limits: readonly (KnownLimit & { readonly used: number })[]): number =>
  limits.some(({ requests, used }) => used > busyShare * requests) ? 0 : 1_500;
