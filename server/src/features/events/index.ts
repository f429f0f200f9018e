export { deleteOldEvents, type EventRecord, keptDays, listEvents } from "./store.ts";
