/** What a customer is written to about. */
export type Occasion = "sample_ready" | "done" | "undone" | "needs_you";
