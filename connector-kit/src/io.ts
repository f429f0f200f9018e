import type { ZodType } from "zod";

/** What a connector is lent for one step: it keeps none of it. */
export interface Io<S = unknown> {
  readonly http: Http;
  readonly settings: S;
  readonly signal: AbortSignal;
}

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

export type QueryValue = string | number | boolean | null | undefined;

/** The bytes of a file, opened anew for each attempt, read once, never held. */
export interface FileBody {
  readonly name: string;
  readonly contentType: string;
  /** In bytes; null where the tool doesn't tell before the last byte. */
  readonly size: number | null;
  open(): Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array>;
}

export interface Part {
  readonly name: string;
  readonly content: string | FileBody;
}

export interface HttpRequest {
  /** Absolute, or relative to the first of the manifest's `api` origins. */
  readonly url: string;
  readonly method?: Method;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of these four. A function is asked anew for each attempt: for what must carry the time of it. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly parts?: readonly Part[];
  readonly file?: FileBody;
  /**
   * True when sending it twice has the effect of sending it once (an upsert, an idempotency key, a search by POST).
   * GET, HEAD, PUT and DELETE are so by default, POST and PATCH are not.
   */
  readonly idempotent?: boolean;
  /**
   * Statuses other than 2xx that the connector handles itself; all others are thrown as a ConnectorError. A redirect
   * named here is not followed.
   */
  readonly accept?: readonly number[];
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated ones are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly text: string;
  /** The parsed body; with a schema, what doesn't fit is a ConnectorError `unexpected_answer`. */
  json<T = unknown>(schema?: ZodType<T>): T;
}

export interface Download {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly size: number | null;
  /** Must be read to its end or given up with `return()`: it holds a connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Already authorized, rate-limited, retried where that is safe, confined to the manifest's hosts, traced and
 * recorded. It throws ConnectorErrors only.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>;
  /** For files: the body is not held in memory, whatever its size. */
  download(request: HttpRequest): Promise<Download>;
}
