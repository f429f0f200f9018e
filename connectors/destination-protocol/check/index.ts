export { checkDestination, type DestinationCheck } from "./check-destination.ts";
