export { createToolCheck } from "./tool-check.ts";
export {
  type CheckDestination,
  createCheckDestination,
  type ToolCheck,
} from "./check-destination.ts";
