import type { WizardImport } from "@portage/contract/wizard";
import type { Outcome } from "../../client/problem.ts";
import { sendJson } from "../../client/send-json.ts";

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

/** Sends requests to our own server only. Expected errors are returned as values. */
export const createClient = ({ importId, fetch, onExpired }: ClientNeeds): Client => {
  let csrf = "";
  const address = (path: string) => `/wizard/api/imports/${encodeURIComponent(importId)}${path}`;

  const send = <T>(path: string, options: RequestOptions): Promise<Outcome<T>> => {
    const isChange = options.method !== undefined && options.method !== "GET";
    return sendJson(fetch, address(path), {
      ...options,
      headers: isChange ? { "x-portage-csrf": csrf } : {},
    });
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
