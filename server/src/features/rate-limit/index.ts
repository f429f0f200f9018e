export { requestsPerSecond, takeTurns } from "./store.ts";
export { createTurns, type Turn } from "./turns.ts";
