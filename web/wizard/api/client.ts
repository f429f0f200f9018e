import type { WizardImport } from "@portage/contract/wizard";
import type { FieldErrors, Outcome, Problem } from "./problem.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface RequestOptions {
  readonly method?: Method;
  readonly body?: unknown;
  /** A part of a file, sent as it is. */
  readonly bytes?: Blob;
  readonly signal?: AbortSignal;
}

export interface Client {
  readonly importId: string;
  /** The URL of a resource of the import: for links and for EventSource. */
  address(path: string): string;
  request<T>(path: string, options?: RequestOptions): Promise<Outcome<T>>;
  /** Loads the import; its response contains the CSRF token for every mutation. */
  requestImport(signal?: AbortSignal): Promise<Outcome<WizardImport>>;
}

interface ClientNeeds {
  readonly importId: string;
  readonly fetch: typeof globalThis.fetch;
  /** The session has ended: all further requests will fail. */
  readonly onExpired?: () => void;
}

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const fieldErrors = (body: unknown): FieldErrors =>
  Object.fromEntries(
    Object.entries(asObject(body)).filter(
      (entry): entry is [string, string[]] =>
        Array.isArray(entry[1]) && entry[1].every((each) => typeof each === "string"),
    ),
  );

const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  if (text === "") return undefined;
  return JSON.parse(text) as unknown;
};

const problemOf = (response: Response, body: unknown): Problem => {
  const error = asObject(asObject(body)["error"]);
  const message = typeof error["message"] === "string" ? error["message"] : "";
  switch (response.status) {
    case 401:
      return { kind: "expired" };
    case 403:
      return { kind: "forbidden", message };
    case 409:
      return { kind: "refused", message, current: asObject(body)["current"] };
    case 404:
      return { kind: "gone", message };
    case 422:
      return { kind: "invalid", errors: fieldErrors(body), body };
    case 429:
    case 503:
      return message === "" ? { kind: "offline" } : { kind: "refused", message };
    case 502:
    case 504:
      return { kind: "offline" };
    default: {
      const requestId = error["request_id"];
      return { kind: "unexpected", requestId: typeof requestId === "string" ? requestId : null };
    }
  }
};

/** Sends requests to our own server only. Expected errors are returned as values. */
export const createClient = ({ importId, fetch, onExpired }: ClientNeeds): Client => {
  let csrf = "";
  const address = (path: string) => `/wizard/api/imports/${encodeURIComponent(importId)}${path}`;

  const send = async <T>(path: string, options: RequestOptions): Promise<Outcome<T>> => {
    const { method = "GET", body, bytes, signal } = options;
    const headers = {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(bytes && { "content-type": "application/octet-stream" }),
      ...(method !== "GET" && { "x-portage-csrf": csrf }),
    };
    try {
      const response = await fetch(address(path), {
        method,
        headers,
        credentials: "same-origin",
        redirect: "error",
        cache: "no-store",
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(bytes && { body: bytes }),
        ...(signal && { signal }),
      });
      const answer = await readBody(response);
      return response.ok ? { kind: "ok", value: answer as T } : problemOf(response, answer);
    } catch (error) {
      if (signal?.aborted) throw error;
      return { kind: "offline" };
    }
  };

  const requestImport = async (signal?: AbortSignal) => {
    const outcome = await send<WizardImport>("", signal ? { signal } : {});
    if (outcome.kind === "ok") csrf = outcome.value.csrf ?? "";
    return outcome;
  };

  return {
    importId,
    address,
    requestImport,
    request: async <T>(path: string, options: RequestOptions = {}) => {
      let outcome = await send<T>(path, options);
      if (outcome.kind === "forbidden") {
        // The customer opened the link again in another tab: the CSRF token of the earlier session is outdated.
        const before = csrf;
        await requestImport(options.signal);
        if (csrf !== before) outcome = await send<T>(path, options);
      }
      if (outcome.kind === "expired") onExpired?.();
      return outcome;
    },
  };
};
