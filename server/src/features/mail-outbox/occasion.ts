/** What a mail to the customer is about. */
export type Occasion = "sample_ready" | "done" | "undone" | "needs_you" | "starts_soon";
