export { isWildcard, readAllowances } from "./allowances.ts";
export { checkTarget, checkTargetText } from "./check-target.ts";
export { createOutbound, type Outbound } from "./outbound.ts";
export { type OutboundCode, OutboundError } from "./outbound-error.ts";
export type { Resolve } from "./resolver.ts";
