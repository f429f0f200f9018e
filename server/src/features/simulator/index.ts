export { createSimulation, mostLive } from "./create-simulation.ts";
export {
  catchUpAll,
  createSimulations,
  moveSimulation,
  type SimulationsAtWork,
} from "./move-simulation.ts";
export { findOpenSimulation, listOpenSimulations, lookAtSimulation } from "./read-simulations.ts";
export { simulationTokens } from "./store.ts";
export { createSimulatedStandingsOf, findSimulatedEvents, listSimulatedEvents } from "./store-events.ts";
