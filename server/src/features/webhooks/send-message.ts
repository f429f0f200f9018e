import { signatureHeaders } from "@portage/contract/signing";
import { elapsedMs, momentNow } from "../../platform/moment.ts";
import { type Outbound, OutboundError } from "../../platform/outbound/index.ts";
import type { Secret } from "../../platform/secret.ts";
import { cutToken, readAnswer } from "./cut-answer.ts";
import type { Attempt } from "./delivery.ts";

/** A message to send; its body is built when it is sent. */
export interface Message {
  readonly eventId: string;
  readonly url: string;
  /** In the order in which they sign. */
  readonly secrets: readonly [Secret, ...Secret[]];
  readonly bodyAt: (timestamp: number) => object;
  /** Removed from an answer that repeats it. */
  readonly token: Secret | null;
}

interface Needs {
  readonly outbound: Outbound;
  readonly requestMs: number;
  readonly now?: () => number;
}

/** Older receivers refuse messages that are some seconds old, so a built message does not wait for a connection. */
const freshMs = 800;

const signed = ({ eventId, secrets, bodyAt }: Message, timestamp: number) => {
  const content = JSON.stringify(bodyAt(timestamp));
  const [first, ...others] = secrets;
  const headers = signatureHeaders({
    secrets: [first.reveal(), ...others.map((secret) => secret.reveal())],
    id: eventId,
    timestampSeconds: Math.floor(timestamp / 1_000),
    content,
  });
  return {
    content,
    headers: { "content-type": "application/json", "user-agent": "Portage-Webhooks/1", ...headers },
  };
};

const errorOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return "gone";
  return status >= 300 && status < 400 ? "redirected" : "bad_status";
};

type Answered = { readonly status: number; readonly answer: string } | "not_fresh" | "too_late";

const sendOnce = async (
  { outbound, now = Date.now }: Needs,
  message: Message,
  leftMs: number,
  maySend: () => boolean,
): Promise<Answered> => {
  const madeAt = momentNow();
  const { content, headers } = signed(message, now());
  let unsent: "not_fresh" | "too_late" | null = null;
  try {
    const { status, body } = await outbound.send({
      url: message.url,
      method: "POST",
      headers,
      body: content,
      mayStart: () => {
        if (!maySend()) unsent = "too_late";
        else unsent = elapsedMs(madeAt) > freshMs ? "not_fresh" : null;
        return unsent === null;
      },
      // A redirect counts as a failure: nothing is sent anywhere else.
      limits: { totalMs: leftMs, headersMs: leftMs, idleMs: leftMs, maxRedirects: 0 },
    });
    const answer = await readAnswer(body);
    return { status, answer: message.token ? cutToken(answer, message.token.reveal()) : answer };
  } catch (error) {
    if (unsent && error instanceof OutboundError && !error.mayHaveArrived) return unsent;
    throw error;
  }
};

/**
 * Makes one attempt: builds and signs the message, sends it within a second, and fails without an answer in time. Null: nothing was
 * sent, as `maySend` refused it right before the first byte.
 */
export const sendMessage =
  (needs: Needs) =>
  async (message: Message, maySend: () => boolean = () => true): Promise<Attempt | null> => {
    const at = new Date((needs.now ?? Date.now)());
    const startedAt = performance.now();
    const took = () => Math.round(performance.now() - startedAt);
    try {
      for (;;) {
        const leftMs = Math.max(1, needs.requestMs - took());
        const answered = await sendOnce(needs, message, leftMs, maySend);
        if (answered === "too_late") return null;
        // The message waited for a connection, which is open now.
        if (answered === "not_fresh") continue;
        return { at, durationMs: took(), error: errorOf(answered.status), ...answered };
      }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { at, durationMs: took(), status: null, error: error.code, answer: null };
    }
  };
