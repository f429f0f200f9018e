export { requestsPerSecond, takeTurn } from "./store.ts";
