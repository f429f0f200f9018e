/** Why a message is not a valid webhook from Portage. */
export type WebhookRefusal =
  /** The message has no signature. */
  | "no_signature"
  /** No signature matches any of the secrets: forged, altered in transit, or signed for another receiver. */
  | "wrong_signature"
  /** The message is too old: possibly a replay. */
  | "too_old"
  /** The message is from the future: a clock is wrong. */
  | "too_new"
  /** Signed, but not an event. */
  | "not_an_event";

const messages: Readonly<Record<WebhookRefusal, string>> = {
  no_signature: "The message has no signature.",
  wrong_signature: "The signature matches none of the secrets.",
  too_old: "The message is older than allowed.",
  too_new: "The message is from the future.",
  not_an_event: "The message is not an event.",
};

/** Answer with 400 and do nothing: the sender is unknown. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly reason: WebhookRefusal;
  constructor(reason: WebhookRefusal) {
    super(messages[reason]);
    this.reason = reason;
  }
}
