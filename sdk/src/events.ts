import type { ImportEvent } from "./wire.ts";

export type EventType = ImportEvent["type"];

/** An event of one type, so that `switch (event.type)` tells them apart. More types may come: have a default. */
export type EventOf<T extends EventType> = Omit<ImportEvent, "type"> & { readonly type: T };

/** What a webhook carries and what `events.list` lists. */
export type PortageEvent = { [T in EventType]: EventOf<T> }[EventType];
