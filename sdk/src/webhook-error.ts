/** Why a message was not taken for one of Portage's. */
export type WebhookRefusal =
  /** It carries no signature at all. */
  | "no_signature"
  /** No signature fits any of the secrets: forged, altered on the way, or signed for somebody else. */
  | "wrong_signature"
  /** It was sent too long ago: perhaps somebody sends it again. */
  | "too_old"
  /** It was sent in the future: a clock is wrong. */
  | "too_new"
  /** Signed, but not an event. */
  | "not_an_event";

const messages: Readonly<Record<WebhookRefusal, string>> = {
  no_signature: "The message has no signature.",
  wrong_signature: "The signature fits none of the secrets.",
  too_old: "The message is older than allowed.",
  too_new: "The message is from the future.",
  not_an_event: "The message is not an event.",
};

/** Answer with 400 and do nothing: nobody knows who sent it. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly reason: WebhookRefusal;
  constructor(reason: WebhookRefusal) {
    super(messages[reason]);
    this.reason = reason;
  }
}
