export { createPreflight, type RunPreflight } from "./create-preflight.ts";
export { declaredPerMinute, estimateRun } from "./estimate.ts";
export { createLooker, type StreamLook } from "./look-at-streams.ts";
export { createStartAfterPreflight } from "./start-after-preflight.ts";
