export { eventBody } from "./event-body.ts";
export { deleteOldEvents, type EventRecord, findEvents, keptDays, listEvents } from "./store.ts";
