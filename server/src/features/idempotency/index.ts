export { createOnce, type Keep, type Once } from "./once.ts";
export { deleteOldKeys } from "./store.ts";
