import type { PortageEvent } from "./events.ts";
import { WebhookError } from "./webhook-error.ts";
import { matchingSchemes, type WebhookScheme } from "./webhook-signatures.ts";

/** A web `Headers` object, or the headers of Node's HTTP server. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookMessage {
  /** The raw body, byte for byte: not parsed, not serialized again. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: WebhookHeaders;
  /** Your webhook secret; during a rotation the old one and the new one. */
  readonly secrets: string | readonly string[];
  /** The maximum difference between the message's time and now; 5 minutes by default. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970; the clock by default. */
  readonly now?: number | undefined;
}

export interface VerifiedWebhook {
  /** The service repeats a delivery when an answer is lost: store `event_id` to act once. */
  readonly event: PortageEvent;
  /** The schemes whose signature matched: one is enough. */
  readonly schemes: readonly WebhookScheme[];
}

const bytesOf = (body: unknown): Uint8Array => {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // A buffer of another realm is not an instance of this realm's class.
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]")
    return new Uint8Array(body as ArrayBuffer);
  throw new TypeError("body must be the raw body (text or bytes): a parsed body can't be verified.");
};

const headerOf = (headers: WebhookHeaders, name: string): string | null => {
  if (typeof headers.get === "function") return (headers as { get(name: string): string | null }).get(name);
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : null;
};

const secretList = (secrets: string | readonly string[]): readonly string[] => {
  const list = typeof secrets === "string" ? [secrets] : secrets;
  if (
    !Array.isArray(list) ||
    list.length === 0 ||
    list.some((each) => typeof each !== "string" || each === "")
  )
    throw new TypeError("secrets must contain your webhook secret.");
  return list;
};

const checkAge = (sentAt: number, now: number, toleranceMs: number): void => {
  if (now - sentAt > toleranceMs) throw new WebhookError("too_old");
  if (sentAt - now > toleranceMs) throw new WebhookError("too_new");
};

const readEvent = (body: Uint8Array): PortageEvent => {
  try {
    const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as PortageEvent;
    const texts = [event.event_id, event.type, event.id, event.status];
    if (texts.every((each) => typeof each === "string") && Number.isSafeInteger(event.timestamp))
      return event;
  } catch {}
  throw new WebhookError("not_an_event");
};

/**
 * Verifies that a message is from Portage, unaltered and recent, and reads it. Otherwise it throws a WebhookError with
 * a `reason`; for wrong arguments (a parsed body, no secret) it throws a TypeError.
 */
export const verifyWebhook = async (message: WebhookMessage): Promise<VerifiedWebhook> => {
  const { headers, toleranceSeconds = 300, now = Date.now() } = message;
  // A comparison with NaN is never true, so no message would be too old.
  if (!(toleranceSeconds >= 0) || !Number.isFinite(now))
    throw new TypeError("toleranceSeconds and now must be numbers.");
  const body = bytesOf(message.body);
  const secrets = secretList(message.secrets);
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const standard = headerOf(headers, "webhook-signature");
  const classic = headerOf(headers, "x-authorization-content-sha256");
  if (standard === null && classic === null) throw new WebhookError("no_signature");
  const schemes = await matchingSchemes({ body, id, timestamp, standard, classic }, secrets);
  if (schemes.length === 0) throw new WebhookError("wrong_signature");

  const event = readEvent(body);
  // Only the standard signature covers these two, but a mismatch shows that the message was altered.
  if (id !== null && id !== event.event_id) throw new WebhookError("wrong_signature");
  if (timestamp !== null && !/^\d{1,12}$/.test(timestamp)) throw new WebhookError("wrong_signature");
  const toleranceMs = toleranceSeconds * 1000;
  if (timestamp !== null) checkAge(Number(timestamp) * 1000, now, toleranceMs);
  checkAge(event.timestamp, now, toleranceMs);
  return { event, schemes };
};
