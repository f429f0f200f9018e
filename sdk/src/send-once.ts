import type { Answer } from "./error-of-answer.ts";
import { PortageError } from "./portage-error.ts";

export interface Sending {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** One attempt, to the last byte of its answer. Throws a PortageError without an answer, or the signal's reason. */
export const sendOnce = async (sending: Sending): Promise<Answer> => {
  const { fetch: send, url, method, headers, body, timeoutMs, signal } = sending;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const response = await send(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      // The API never redirects; any other server that does must not get a token or a second request.
      redirect: "manual",
      signal: controller.signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    throw isLate
      ? new PortageError({ code: "timed_out", message: `No answer within ${timeoutMs} ms.`, cause })
      : new PortageError({ code: "connection_failed", message: "Could not reach the API.", cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
};
