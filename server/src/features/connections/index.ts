export {
  type CheckDestination,
  createCheckDestination,
  type ToolCheck,
} from "./check-destination.ts";
