/** What a colour means. Never by itself: an icon or a word says the same. */
export type Tone = "ok" | "warn" | "bad" | "info" | "review" | "undo" | "idle" | "brand";
