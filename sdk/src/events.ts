import type { ImportEvent } from "./wire.ts";

export type EventType = ImportEvent["type"];

/** An event of one type, so that `switch (event.type)` narrows it. New types may appear: add a default. */
export type EventOf<T extends EventType> = Omit<ImportEvent, "type"> & { readonly type: T };

/** An event as webhooks and `events.list` deliver it. */
export type PortageEvent = { [T in EventType]: EventOf<T> }[EventType];
