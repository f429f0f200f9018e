export { deleteOldEvents, type EventRecord, listEvents } from "./store.ts";
