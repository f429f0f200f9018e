export {
  type CheckDestination,
  createCheckDestination,
  type DestinationAnswer,
  type ToolAnswer,
  type ToolCheck,
} from "./check-destination.ts";
