export { takeWaiting, type Waiting, waitingForMs } from "./store.ts";
