import type { ZodType } from "zod";

/** What the engine passes to a connector for one step; a connector must not keep it. */
export interface Io<S = unknown> {
  readonly http: Http;
  readonly settings: S;
  readonly signal: AbortSignal;
  /** The same object for all calls of this step, also where `http` is wrapped: the key of a connector's caches. */
  readonly scope: object;
  /**
   * The same object for the steps of one side of a run in this process, for some minutes: the key of caches for what may be that
   * old, such as who a person is. Left out: nothing is kept longer than a step.
   */
  readonly shared?: object;
  /** For `shareAnswer`. Left out: each stream asks for itself. */
  readonly kept?: KeptAnswers;
}

/** Rows of streams that are read later, from answers to earlier ones: a bounded cache of one run, which may drop any entry. */
export interface KeptAnswers {
  /** What was kept last under this key, which is gone then. */
  take(key: string): string | undefined;
  keep(key: string, text: string): void;
}

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

export type QueryValue = string | number | boolean | null | undefined;

/** The bytes of a file: each attempt opens them anew and streams them once. */
export interface FileBody {
  readonly name: string;
  readonly contentType: string;
  /** In bytes; null if the tool does not state the size in advance. */
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
  /** At most one of these four. The client calls a function for each attempt, for bodies that carry a timestamp. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly parts?: readonly Part[];
  readonly file?: FileBody;
  /** True for a POST that changes nothing: a search. The engine assumes that any other POST may take effect. */
  readonly reads?: boolean;
  /**
   * True for a request that changes something but never creates the record itself: an upload that a later request attaches, a
   * membership. If the tool refuses that later request, the record is still `rejected`.
   */
  readonly auxiliary?: boolean;
  /**
   * True if sending it twice has the effect of sending it once (an upsert, an idempotency key). Reads, PUT and DELETE
   * are idempotent by default, POST and PATCH are not.
   */
  readonly idempotent?: boolean;
  /** For tools with quotas of their own for some calls: the `class` of the manifest's limits that count it. */
  readonly class?: string;
  /** For tools whose quotas count by cost; 1 by default. */
  readonly cost?: number;
  /**
   * Statuses other than 2xx that the connector handles itself; all others throw a ConnectorError. The client does not
   * follow a redirect named here.
   */
  readonly accept?: readonly number[];
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The final URL, after redirects. */
  readonly url: string;
  readonly text: string;
  /** The parsed body; throws a ConnectorError `unexpected_answer` if it does not match the schema. */
  json<T = unknown>(schema?: ZodType<T>): T;
}

export interface Download {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly size: number | null;
  /** Read it to its end or call `return()`: it holds a connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The client authorizes, rate-limits, retries where that is safe, traces and records requests, and restricts them to
 * the manifest's hosts. It throws only ConnectorErrors.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>;
  /** For files: streams the body, whatever its size. */
  download(request: HttpRequest): Promise<Download>;
}
