import type { Outcome } from "../../client/problem.ts";
import { type JsonRequest, sendJson } from "../../client/send-json.ts";

const base = "/api/operator/v1";

export interface Change {
  readonly method?: "POST" | "PUT" | "DELETE";
  readonly body?: unknown;
  /** See `newChangeKey`: the same for every attempt of one change, so that it happens once. */
  readonly key?: string;
}

export interface OperatorClient {
  read<T>(path: string, signal?: AbortSignal): Promise<Outcome<T>>;
  change<T>(path: string, change?: Change): Promise<Outcome<T>>;
  /** Before there is a session: a 401 is an answer like any other. */
  withoutSession<T>(path: string, body?: unknown): Promise<Outcome<T>>;
}

interface ClientNeeds {
  readonly fetch: typeof globalThis.fetch;
  /** The session has ended: the person must sign in again. */
  readonly onExpired: () => void;
}

/** A page reads more at once than a person may send within a second: it waits, and the person does not notice. */
const mostWaits = 10;
const longestWaitSeconds = 5;

/** Sends again what the rate limit refused, before anything was done. A longer refusal is for the person to read. */
const waiting =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    for (let again = 0; ; again += 1) {
      const answer = await fetch(input, init);
      const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
      if (answer.status !== 429 || again === mostWaits || !(seconds <= longestWaitSeconds)) return answer;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  };

/** Other sites can't send this header, so that they can't make changes by the person's cookie. */
const ownPage = { "x-portage-console": "1" };

export const createOperatorClient = ({ fetch, onExpired }: ClientNeeds): OperatorClient => {
  const send = async <T>(path: string, request: JsonRequest): Promise<Outcome<T>> => {
    const outcome = await sendJson<T>(waiting(fetch), `${base}${path}`, request);
    if (outcome.kind === "expired") onExpired();
    return outcome;
  };
  return {
    read: (path, signal) => send(path, { signal }),
    change: (path, { method = "POST", body, key } = {}) =>
      send(path, {
        method,
        body,
        headers: { ...ownPage, ...(key !== undefined && { "idempotency-key": key }) },
      }),
    withoutSession: (path, body) =>
      sendJson(fetch, `${base}${path}`, {
        method: body === undefined ? "GET" : "POST",
        body,
        headers: body === undefined ? {} : ownPage,
      }),
  };
};
