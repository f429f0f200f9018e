import type { ImportEvent, ProgressEvent } from "./wire.ts";

export type EventType = ImportEvent["type"] | ProgressEvent["type"];

/** An event of one type, so that `switch (event.type)` narrows it. New types may appear: add a default. */
export type EventOf<T extends EventType> = T extends ProgressEvent["type"]
  ? ProgressEvent
  : Omit<ImportEvent, "type"> & { readonly type: T };

/** An event as webhooks and `events.list` deliver it; the list never has an `import.progress`. */
export type PortageEvent = { [T in EventType]: EventOf<T> }[EventType];
