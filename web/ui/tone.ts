/** The meaning of a colour. Never the only signal: an icon or a word says the same. */
export type Tone = "ok" | "warn" | "bad" | "info" | "review" | "undo" | "idle" | "brand";
