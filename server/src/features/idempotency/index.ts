export { createOnce, type Once } from "./once.ts";
export { deleteOldKeys, keptAnswers, keptHours } from "./store.ts";
