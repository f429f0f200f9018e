import { Agent, type Dispatcher, request as undiciRequest } from "undici";
import { readAllowances } from "./allowances.ts";
import { createCheckedConnector } from "./checked-connector.ts";
import { checkUrl } from "./checked-url.ts";
import { limitedBody } from "./limited-body.ts";
import { OutboundError } from "./outbound-error.ts";
import { isRedirect, nextHop } from "./redirect.ts";
import { createResolver, createSystemResolver, type Resolve } from "./resolver.ts";
import { translateError } from "./translate-error.ts";

export interface OutboundLimits {
  readonly connectMs: number;
  /** From the last byte sent to the end of the response headers. */
  readonly headersMs: number;
  /** Between two chunks of the body. */
  readonly idleMs: number;
  /** From the first hop to the last byte, including the wait for a connection. */
  readonly totalMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
}

export const defaultLimits: OutboundLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 120_000,
  maxBytes: 32 * 1024 * 1024,
  maxRedirects: 5,
};

export interface OutboundRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream can be read once only, so it can't follow a redirect that needs the body again. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | null;
  readonly signal?: AbortSignal;
  /** Called right before the first byte is sent; false: the request fails without being sent. */
  readonly mayStart?: () => boolean;
  /** For this request; `maxRedirects: 0` returns a redirect to the caller. */
  readonly limits?: Partial<OutboundLimits>;
}

export interface OutboundResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  /** The caller must read it to its end or cancel it: it holds a connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundResponse>;
  close(): Promise<void>;
}

export interface OutboundOptions {
  /** Exact `host:port` entries that may be private and without TLS. */
  readonly allow?: readonly string[];
  readonly limits?: Partial<OutboundLimits>;
  /** Omitted: the hosts file and DNS; for the operator's `allow`, as the system resolves names. */
  readonly resolve?: Resolve;
  readonly ca?: readonly string[];
}

const flat = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );

/** Reports when undici starts to write: before that, a failed request has certainly not arrived. */
const watched = (
  agent: Agent,
  { mayStart = () => true, onWrite }: { mayStart: (() => boolean) | undefined; onWrite: () => void },
): Dispatcher =>
  ({
    dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
      const start = handler.onRequestStart?.bind(handler);
      handler.onRequestStart = (controller, context) => {
        // Throwing here prevents any write.
        if (!mayStart()) throw new OutboundError("aborted", "The deadline has passed.", false);
        onWrite();
        start?.(controller, context);
      };
      return agent.dispatch(options, handler);
    },
  }) as unknown as Dispatcher;

/**
 * The only HTTP client for addresses that partners or customers supply. It ignores proxy settings of the environment
 * and follows redirects itself, so that each hop passes the same checks as the first.
 */
export const createOutbound = (options: OutboundOptions = {}): Outbound => {
  const allowances = readAllowances(options.allow ?? []);
  const base = { ...defaultLimits, ...options.limits };
  const agent = new Agent({
    connect: createCheckedConnector({
      allowances,
      resolve: options.resolve ?? createResolver(),
      resolveAllowed: options.resolve ?? createSystemResolver(),
      connectMs: base.connectMs,
      ca: options.ca ?? [],
    }),
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16_384,
  });

  const send = async (first: OutboundRequest): Promise<OutboundResponse> => {
    const limits = { ...base, ...first.limits };
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(new DOMException("", "TimeoutError")), limits.totalMs);
    const done = () => clearTimeout(timer);
    const signal = first.signal ? AbortSignal.any([first.signal, clock.signal]) : clock.signal;
    let wrote = false;
    let hop = { method: first.method, url: first.url, headers: first.headers, body: first.body ?? null };
    try {
      for (let redirects = 0; ; redirects += 1) {
        const url = checkUrl(hop.url, allowances);
        const translate = (error: unknown) => translateError(error, url.host, wrote, first.signal);
        const answer = await undiciRequest(url, {
          method: hop.method,
          headers: hop.headers,
          body: hop.body as string | null,
          signal,
          headersTimeout: limits.headersMs,
          bodyTimeout: limits.idleMs,
          dispatcher: watched(agent, {
            mayStart: first.mayStart,
            onWrite: () => {
              wrote = true;
            },
          }),
        }).catch((error: unknown) => {
          throw translate(error);
        });
        const headers = flat(answer.headers);
        const body = limitedBody(answer.body, { host: url.host, maxBytes: limits.maxBytes, translate, done });
        if (!isRedirect(answer.statusCode) || !headers.location || limits.maxRedirects === 0)
          return { status: answer.statusCode, headers, url: url.href, body };
        answer.body.on("error", () => {}).destroy();
        if (redirects >= limits.maxRedirects)
          throw new OutboundError("too_many_redirects", `${url.host} redirects too often.`, true);
        const next = nextHop(
          { method: hop.method, url, headers: hop.headers },
          answer.statusCode,
          headers.location,
        );
        if (!next) throw new OutboundError("refused_url", `${url.host} redirects to no URL.`, true);
        const isStream =
          hop.body !== null && typeof hop.body === "object" && Symbol.asyncIterator in hop.body;
        if (next.keepsBody && isStream)
          throw new OutboundError("bad_answer", `${url.host} redirects an upload.`, true);
        hop = { ...next, body: next.keepsBody ? hop.body : null };
      }
    } catch (error) {
      done();
      throw error instanceof OutboundError && wrote && !error.mayHaveArrived
        ? new OutboundError(error.code, error.message, true, error.cause)
        : error;
    }
  };

  return { send, close: () => agent.destroy() };
};
