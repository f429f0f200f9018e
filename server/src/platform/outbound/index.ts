export { readAllowances, type Allowances } from "./allowances.ts";
export type { Resolve } from "./checked-connector.ts";
export { OutboundError, type OutboundCode } from "./outbound-error.ts";
export {
  createOutbound,
  defaultLimits,
  type Outbound,
  type OutboundLimits,
  type OutboundOptions,
  type OutboundRequest,
  type OutboundResponse,
} from "./outbound.ts";
export { isPublicAddress } from "./public-address.ts";
