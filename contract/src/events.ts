export const eventTypes = [
  "import.status_changed",
  "import.full_requested",
  "import.attention_required",
  "import.closed",
  "webhook.test",
] as const;

export type EventType = (typeof eventTypes)[number];
