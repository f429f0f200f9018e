/**
 * Checks everything that can be known before a full run, and starts runs that begin by themselves. Entry points:
 * `createPreflight`, `createStartAfterPreflight` (called by the dispatcher), `createLooker` and `estimateRun`.
 * Invariants: it reads from both tools and writes to neither (create-preflight.ts). It ends by its deadline and lists
 * the parts that it could not check in time (parts.ts). Findings contain nothing from the customer's records. A
 * `blocks` finding prevents the automatic start and requests attention once; findings of a replaced sign-in are
 * discarded (start-after-preflight.ts).
 */
export { createPreflight, type RunPreflight } from "./create-preflight.ts";
export { declaredPerMinute, estimateRun } from "./estimate.ts";
export { createLooker, type StreamLook } from "./look-at-streams.ts";
export type { PreflightSilence } from "./preflight.ts";
export { createStartAfterPreflight } from "./start-after-preflight.ts";
