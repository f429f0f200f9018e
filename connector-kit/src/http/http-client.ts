import { setTimeout as wait } from "node:timers/promises";
import { ConnectorError, isConnectorError } from "../errors.ts";
import type { Download, Http, HttpRequest, HttpResponse } from "../io.ts";
import type { Manifest } from "../manifest.ts";
import type { Authorizer } from "./authorize.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { isRead } from "./effects.ts";
import { explainAnswer, explainerOf } from "./explain-answer.ts";
import { firstHop, type Hop, nextHop } from "./hop.ts";
import type { Learned, Limiter } from "./limiter.ts";
import type { Call } from "./quotas.ts";
import { createRedactor } from "./redact.ts";
import { releasedBody } from "./released-body.ts";
import { requestBody, type RequestBody } from "./request-body.ts";
import { drain, readStart, readWithin, refusePage, toHttpResponse } from "./response.ts";
import { learnedFrom, retryAfterMs } from "./retry-after.ts";
import { statusError, transportError } from "./status-error.ts";
import { type Transport, transportFailure, type TransportResponse } from "./transport.ts";

export interface RetryPolicy {
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Short: the engine handles longer waits, since it can do other work meanwhile. */
export const defaultRetryPolicy: RetryPolicy = { attempts: 4, firstDelayMs: 250, maxDelayMs: 8_000 };

export interface HttpNeeds<S> {
  readonly manifest: Manifest<S>;
  readonly settings: S;
  readonly transport: Transport;
  readonly authorizer: Authorizer;
  readonly limiter: Limiter;
  readonly signal: AbortSignal;
  /** Whether the client may still send a request, checked right before sending. By default the signal decides. */
  readonly mayStart?: () => boolean;
  readonly retry?: Partial<RetryPolicy>;
  /** The maximum bytes of a buffered answer and of a streamed file. */
  readonly maxBytes?: { readonly answer: number; readonly file: number };
  /** Shared by all clients of a process. Omitted: answers are only bounded one by one. */
  readonly answerBudget?: ByteBudget;
  readonly totalMs?: { readonly answer: number; readonly file: number };
}

const maxRedirects = 5;
const unanswered: Learned = { status: null, retryAfterMs: null, quotas: [] };
const idempotentMethods = new Set(["PUT", "DELETE"]);

interface Limits {
  readonly maxBytes: number;
  readonly totalMs: number;
}

/** Reads an answer for the connector; `text` is the whole body if it is read already. */
interface Reader<R> {
  /** Whether the answer fits into memory, so that the dialect can see all of it. */
  readonly isBuffered: boolean;
  read(answer: TransportResponse, release: () => void, text: string | null): Promise<R>;
}

/** The HTTP client of a connector. */
export const createHttp = <S>(needs: HttpNeeds<S>): Http => {
  const { manifest, settings, transport, authorizer, limiter, signal } = needs;
  const policy = { ...defaultRetryPolicy, ...needs.retry };
  const hosts = manifest.hosts(settings);
  const { label } = manifest;
  const redactor = createRedactor(() => authorizer.secrets());
  const maxBytes = needs.maxBytes ?? { answer: 64 * 1024 * 1024, file: 10 * 1024 ** 3 };
  const totalMs = needs.totalMs ?? { answer: 60_000, file: 3_600_000 };

  // Its caller holds a place already: waiting for another one could last for ever.
  const unlimited: Limiter = {
    take: async () => ({ release() {} }),
    learn: (answer) => limiter.learn(answer),
  };
  const anonymous: Authorizer = {
    headers: async () => ({}),
    renew: async () => false,
    secrets: () => authorizer.secrets(),
  };
  const signInHttp = () => createHttp({ ...needs, limiter: unlimited, authorizer: anonymous });
  const withoutCredentials: Http = {
    send: (request) => signInHttp().send(request),
    download: (request) => signInHttp().download(request),
  };

  const sendHop = async (hop: Hop, request: HttpRequest, body: RequestBody, limits: Limits) => {
    // Only for the tool itself: the connector's headers may hold a session.
    const own = hop.authorized ? (request.headers ?? {}) : {};
    const { method, url, keepsBody } = hop;
    const text = keepsBody && !body.streamed ? ((await body.open()) as string | null) : null;
    const auth = hop.authorized
      ? await authorizer.headers({ method, url, headers: own, body: text }, withoutCredentials)
      : {};
    const answer = await transport.send({
      url: url.href,
      method,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        "user-agent": "Portage",
        ...(keepsBody ? body.headers : {}),
        ...own,
        ...auth,
      },
      body: keepsBody && body.streamed ? await body.open() : text,
      reads: isRead(request),
      signal,
      ...(needs.mayStart ? { mayStart: needs.mayStart } : {}),
      limits: { ...limits, maxRedirects: 0 },
    });
    return { answer, auth: hop.authorized ? auth : null };
  };

  const sendOnce = async (first: Hop, request: HttpRequest, body: RequestBody, limits: Limits) => {
    let hop = first;
    for (let redirects = 0; ; redirects += 1) {
      const sent = await sendHop(hop, request, body, limits);
      const { answer } = sent;
      if (request.accept?.includes(answer.status)) return sent;
      const next = nextHop(label, hosts, hop, answer.status, answer.headers.location);
      if (!next) return sent;
      await drain(answer.body);
      if (redirects >= maxRedirects) throw transportError(label, "too_many_redirects", false, undefined);
      hop = next;
    }
  };

  /** Returns the delay before the next attempt, or throws an error that a retry can't fix. */
  const delayOf = (attempt: number, error: ConnectorError): number => {
    const backoff = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1));
    const delay = error.retryAfterMs ?? backoff * (0.5 + Math.random() / 2);
    if (attempt >= policy.attempts || delay > policy.maxDelayMs) throw error;
    return delay;
  };

  const readAll = (answer: TransportResponse) =>
    readWithin(answer, maxBytes.answer, needs.answerBudget, signal);

  /** What the dialect says of an answer, with the text that was read for it. */
  const explained = async (answer: TransportResponse, isForConnector: boolean, isBuffered: boolean) => {
    const explain = explainerOf(manifest.dialect, answer.status);
    if (!explain || (isForConnector && !isBuffered)) return { explanation: undefined, text: null };
    const text = isForConnector ? await readAll(answer) : await readStart(answer.body);
    return { explanation: explainAnswer(explain, label, answer, text), text };
  };

  const exchange = async <R>(
    request: HttpRequest,
    limits: Limits,
    { isBuffered, read }: Reader<R>,
  ): Promise<R> => {
    const method = request.method ?? "GET";
    const reads = isRead(request);
    const idempotent = request.idempotent ?? (reads || idempotentMethods.has(method));
    const call: Call = { kind: reads ? "read" : "write", class: request.class, cost: request.cost };
    const body = requestBody(request);
    const first = firstHop(label, hosts, request);
    let renewed = false;
    for (let attempt = 1; ; attempt += 1) {
      const slot = await limiter.take(call, signal).catch((cause) => {
        throw isConnectorError(cause) ? cause : transportError(label, "aborted", false, cause);
      });
      const started = performance.now();
      let failed: ConnectorError;
      try {
        const { answer, auth } = await sendOnce(first, request, body, limits);
        const isSuccess = answer.status >= 200 && answer.status < 300;
        const isAccepted = request.accept?.includes(answer.status) ?? false;
        const { explanation, text } = await explained(answer, isSuccess || isAccepted, isBuffered);
        const status = explanation?.status ?? answer.status;
        const { headers } = answer;
        const askedMs = explanation?.retryAfterMs;
        const learned = learnedFrom({ call, status, headers, askedMs }, manifest, Date.now());
        limiter.learn({ ...learned, tookMs: performance.now() - started });
        // A connector accepts what a status says of its request; that its account must slow down is not its business.
        if (isAccepted ? explanation?.status !== 429 : isSuccess && !explanation)
          return await read(answer, slot.release, text);
        if (text === null) await drain(answer.body);
        slot.release();
        if (status === 401 && auth && !renewed && (await authorizer.renew(auth))) {
          renewed = true;
          continue;
        }
        failed = statusError({
          label,
          status: answer.status,
          explanation,
          reasons: manifest.dialect?.reasons,
          retryAfterMs:
            learned.retryAfterMs ?? learned.usualWaitMs ?? askedMs ?? retryAfterMs(headers, Date.now()),
          idempotent,
          authorized: auth !== null,
        });
        // The tool refused a 429 before processing it, so any method may be retried.
        if (failed.recovery !== "retry" || (status !== 429 && !idempotent)) throw failed;
      } catch (error) {
        if (error instanceof ConnectorError || error instanceof TypeError) {
          slot.release();
          throw error;
        }
        const { code, mayHaveArrived } = transportFailure(error);
        limiter.learn({ ...unanswered, call, failure: code, tookMs: performance.now() - started });
        slot.release();
        const unknown = mayHaveArrived && !idempotent;
        failed = transportError(label, code, unknown, error);
        if (unknown || failed.recovery !== "retry" || signal.aborted) throw failed;
      }
      await wait(delayOf(attempt, failed), undefined, { signal }).catch(() => {
        throw failed;
      });
    }
  };

  const where = ({ method = "GET", url }: HttpRequest) =>
    redactor.text(`${label} (${method} ${url.replace(/[?#].*$/s, "").slice(0, 200)})`);

  return {
    send: (request): Promise<HttpResponse> =>
      exchange(
        request,
        { maxBytes: maxBytes.answer, totalMs: totalMs.answer },
        {
          isBuffered: true,
          async read(answer, release, known) {
            const text = known ?? (await readAll(answer));
            release();
            refusePage(where(request), request.headers?.["accept"], answer, text);
            return toHttpResponse(where(request), answer, text);
          },
        },
      ),
    download: (request): Promise<Download> =>
      exchange(
        request,
        { maxBytes: maxBytes.file, totalMs: totalMs.file },
        {
          isBuffered: false,
          async read(answer, release) {
            const size = Number(answer.headers["content-length"] ?? Number.NaN);
            return {
              status: answer.status,
              headers: answer.headers,
              size: Number.isSafeInteger(size) ? size : null,
              body: releasedBody(answer.body, release, (error) =>
                transportError(label, transportFailure(error).code, false, error),
              ),
            };
          },
        },
      ),
  };
};
