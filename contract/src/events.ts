export const eventTypes = [
  "import.status_changed",
  "import.full_requested",
  "import.attention_required",
  "import.closed",
  "webhook.test",
] as const;

/** Without webhook.test: it is sent on request, so it needs no subscription. */
export const subscribableTypes = eventTypes.filter((type) => type !== "webhook.test");

export type EventType = (typeof eventTypes)[number];
