export { readAllowances } from "./allowances.ts";
export { createOutbound, type Outbound } from "./outbound.ts";
