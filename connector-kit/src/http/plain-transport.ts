import { Agent, type Dispatcher, request } from "undici";
import type { Transport } from "./transport.ts";

const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

class PlainTransportError extends Error {
  readonly code: string;
  readonly mayHaveArrived: boolean;
  constructor(cause: unknown, aborted: boolean) {
    super("The tool could not be reached.", { cause });
    const code = (cause as { code?: string } | null)?.code ?? "";
    this.mayHaveArrived = !neverSent.has(code);
    const late = /TIMEOUT/.test(code) || (cause as Error | null)?.name === "TimeoutError";
    this.code = aborted ? "aborted" : late ? "timed_out" : "unreachable";
  }
}

const startingOnlyIf =
  (mayStart: () => boolean): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      if (!mayStart()) throw new Error("The deadline for this request has passed.");
      start?.(controller, context);
    };
    return dispatch(options, handler);
  };

/**
 * For connector authors' own tests with trusted tools: it has no protection. A server that calls URLs from users
 * passes its own transport.
 */
export const createPlainTransport = (): Transport & { close(): Promise<void> } => {
  const agent = new Agent({ allowH2: false, connections: 64, pipelining: 1 });
  async function* read(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
    try {
      yield* body;
    } catch (error) {
      throw new PlainTransportError(error, signal?.aborted ?? false);
    }
  }
  return {
    async send({ url, method, headers, body, signal, mayStart, limits }) {
      const clock = AbortSignal.timeout(limits?.totalMs ?? 120_000);
      try {
        const answer = await request(url, {
          method: method as "GET",
          headers,
          body: (body ?? null) as string | null,
          signal: signal ? AbortSignal.any([signal, clock]) : clock,
          dispatcher: mayStart ? agent.compose(startingOnlyIf(mayStart)) : agent,
        });
        const flat = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(", ")]);
        return {
          status: answer.statusCode,
          headers: Object.fromEntries(flat) as Record<string, string>,
          url,
          body: read(answer.body, signal),
        };
      } catch (error) {
        throw new PlainTransportError(error, signal?.aborted ?? false);
      }
    },
    close: () => agent.destroy(),
  };
};
