export { createOnce, type Once } from "./once.ts";
export { deleteOldKeys, keptHours } from "./store.ts";
