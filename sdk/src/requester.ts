import { errorOfAnswer, readSuccess } from "./error-of-answer.ts";
import { PortageError } from "./portage-error.ts";
import { isPassing, longestDelayMs, retryDelayMs, wait } from "./retry-delay.ts";
import { sendOnce } from "./send-once.ts";
import { version } from "./version.ts";
import { type Operations, routes } from "./wire.ts";

export interface RequesterNeeds {
  /** With the version: `https://portage.example/api/v2.1`. */
  readonly baseUrl: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly fetch: typeof fetch;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, including delays between attempts; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The timeout of one attempt. */
  readonly timeoutMs?: number | undefined;
}

interface CallArguments<K extends keyof Operations> extends CallOptions {
  readonly id?: string;
  readonly query?: Operations[K]["query"];
  readonly body?: Operations[K]["body"];
  readonly idempotencyKey?: string;
}

export interface Received<K extends keyof Operations> {
  readonly body: Operations[K]["answer"];
  readonly headers: { get(name: string): string | null };
}

export type Ask = <K extends keyof Operations>(operation: K, asked: CallArguments<K>) => Promise<Received<K>>;

/** Idempotent operations that change something: a second request changes nothing. */
const repeatable: ReadonlySet<keyof Operations> = new Set([
  "acceptSponsorship",
  "rejectSponsorship",
  "cancelImport",
  "enableWebhookEndpoint",
]);

/** The codes of a connection that broke in use. Any other code says that none was made; some runtimes give none. */
const brokenInUse: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "EPIPE",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  undefined,
]);

/** Whether the API may have done what it was asked to, although the attempt failed: a 503 says that it did not. */
const mayHaveWorked = ({ code, status, cause }: PortageError): boolean => {
  if (code !== "connection_failed") return code === "timed_out" || (status >= 500 && status !== 503);
  const failure = cause as
    | { readonly code?: unknown; readonly cause?: { readonly code?: unknown } }
    | undefined;
  return brokenInUse.has(failure?.cause?.code ?? failure?.code);
};

const pathOf = (path: string, id: string | undefined): string => {
  if (!path.includes("{id}")) return path;
  // "/imports/" would be the list, and "/imports/.." its parent.
  if (typeof id !== "string" || /^\.*$/.test(id)) throw new TypeError("The id of an import is missing.");
  return path.replace("{id}", encodeURIComponent(id));
};

/** Encodes a space as %20: a bare plus is ambiguous for the API, which would find another customer's imports. */
const queryOf = (query: object = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value != null);
  const pairs = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
};

/** Sends an operation, with retries where they are safe and can help. */
export const createRequester = (needs: RequesterNeeds): Ask => {
  const authorization = `Basic ${btoa(`${needs.token}:`)}`;
  return async (operation, asked) => {
    const { id, query, body, idempotencyKey, signal } = asked;
    const [method, path] = routes[operation];
    const sending = {
      fetch: needs.fetch,
      url: `${needs.baseUrl}${pathOf(path, id)}${queryOf(query)}`,
      method,
      headers: {
        authorization,
        accept: "application/json",
        "user-agent": `portage-sdk/${version}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs: asked.timeoutMs ?? needs.timeoutMs,
      signal,
    };
    const maySendAgain = method === "GET" || idempotencyKey !== undefined || repeatable.has(operation);
    let mayBeCancelled = false;
    for (let attempt = 0; ; attempt += 1) {
      const answer = await sendOnce(sending).catch((error: unknown) => {
        if (error instanceof PortageError) return error;
        throw error;
      });
      if (!(answer instanceof PortageError) && answer.status >= 200 && answer.status < 300)
        return {
          body: readSuccess(answer) as Operations[typeof operation]["answer"],
          headers: answer.headers,
        };
      const error = answer instanceof PortageError ? answer : errorOfAnswer(answer);
      // The API answers 404 for a cancelled import: an earlier attempt may have cancelled it, and its answer was lost.
      if (operation === "cancelImport" && error.status === 404 && mayBeCancelled)
        return { body: undefined as Operations[typeof operation]["answer"], headers: { get: () => null } };
      const delayMs = retryDelayMs(error, {
        attempt,
        firstDelayMs: needs.retryDelayMs,
        random: Math.random,
      });
      // A 409 of a report lasts until a copy completes; only that of an idempotency key passes by itself.
      const passes = isPassing(error) && (error.status !== 409 || idempotencyKey !== undefined);
      if (!maySendAgain || !passes || attempt >= needs.retries || delayMs > longestDelayMs) throw error;
      mayBeCancelled ||= mayHaveWorked(error);
      await wait(delayMs, signal);
    }
  };
};
