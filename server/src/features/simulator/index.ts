/**
 * Simulates imports for partners' tests: a simulation moves no data, follows a scenario and sends real webhooks. Entry
 * points: `createSimulation`, `moveSimulation` (a partner's action), `lookAtSimulation`, `listOpenSimulations`,
 * `listSimulatedEvents`, `createSimulations` (the background jobs).
 * Invariants: a simulation moves by the transition table of imports (play.ts) and is stored apart from them (store.ts).
 * `lockSimulation` makes it move one step at a time. Its turns depend on the time alone, not on who reads it when
 * (`advanceSimulation`). `createSimulation` limits a partner to `maxLive` running ones; the jobs remove all after a
 * day.
 */
export { createSimulation, maxLive } from "./create-simulation.ts";
export {
  catchUpAll,
  createSimulations,
  moveSimulation,
  reissueSimulationLink,
  type SimulationsAtWork,
} from "./move-simulation.ts";
export {
  findOpenSimulation,
  findSimulatedProgress,
  findSimulatedReport,
  listOpenSimulations,
  lookAtSimulation,
} from "./read-simulations.ts";
export { simulationRequests, simulationTokens } from "./store.ts";
export { createLoadSimulatedSummaries, findSimulatedEvents, listSimulatedEvents } from "./store-events.ts";
