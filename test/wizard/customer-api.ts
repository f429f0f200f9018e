import { basic } from "../support/partners.ts";

/** The customer's API by its token, for set-up without clicks. */
export interface CustomerApi {
  readonly id: string;
  readonly link: string;
  ask<T = unknown>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<T>;
}

const need = async (url: string, init: RequestInit): Promise<unknown> => {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${init.method} ${url}: ${answer.status} ${text.slice(0, 500)}`);
  return text === "" ? undefined : JSON.parse(text);
};

/** Creates an import as its partner does. */
export const createCustomerApi = async (
  url: string,
  partnerToken: string,
  body: object,
): Promise<CustomerApi> => {
  const json = { "content-type": "application/json" };
  const made = (await need(`${url}/api/v2.1/imports`, {
    method: "POST",
    headers: { ...json, authorization: basic(partnerToken) },
    body: JSON.stringify(body),
  })) as { id: string; token: string; redirect_url: string };
  return {
    id: made.id,
    link: made.redirect_url,
    ask: async <T>(method: string, path: string, sent?: object) =>
      (await need(`${url}/wizard/api/imports/${made.id}${path}`, {
        method,
        headers: { ...json, authorization: `Bearer ${made.token}` },
        ...(sent && { body: JSON.stringify(sent) }),
      })) as T,
  };
};
