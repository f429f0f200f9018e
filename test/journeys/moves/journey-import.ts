import { setTimeout as sleep } from "node:timers/promises";
import { basic } from "../../support/partners.ts";
import { patienceMs } from "../../support/patience.ts";

export interface CauseCount {
  readonly code: string;
  readonly count: number;
  readonly examples: readonly { readonly id: string }[];
}

export interface ReportStream {
  readonly stream: string;
  readonly source: number;
  readonly written: number;
  readonly matched: number;
  readonly skipped: readonly CauseCount[];
  readonly failed: readonly CauseCount[];
  readonly behind: readonly CauseCount[];
  readonly deletedAtSource: number;
  readonly addsUp: boolean;
  /** What came out differently, as declared. */
  readonly changes: readonly { readonly field: string; readonly count: number }[];
  readonly verified: {
    readonly compared: number;
    readonly same: number;
    readonly differs: number;
    readonly gone: number;
    readonly doubled: number;
    readonly changedAtSource: number;
    readonly refused: number;
    readonly fields: readonly { readonly field: string; readonly count: number }[];
    readonly files: { readonly compared: number; readonly same: number; readonly unread: number } | null;
    readonly examples: { readonly differs: readonly { readonly id: string }[] };
  };
}

export interface JourneyReport {
  readonly run: { readonly kind: string };
  readonly addsUp: boolean;
  readonly streams: readonly ReportStream[];
}

export interface UndoPreview {
  readonly looked: boolean;
  readonly streams: readonly {
    readonly stream: string;
    readonly copies: number;
    readonly willStay: number;
  }[];
}

export interface ImportStatus {
  readonly status: string;
  readonly items: Readonly<Record<string, number>>;
  readonly users: Readonly<Record<string, number>>;
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
}

/** One import over HTTP alone: the partner's API and the customer's. */
export interface JourneyImport {
  readonly id: string;
  status(): Promise<ImportStatus>;
  /** As the customer; any status but 2xx throws. */
  ask<T>(method: "GET" | "POST" | "PUT", path: string, body?: object): Promise<T>;
  text(path: string): Promise<string>;
  report(): Promise<JourneyReport>;
  /** Waits for this status; throws at a status that is neither this nor `meanwhile`. */
  until(status: string, meanwhile: readonly string[], patience?: number): Promise<ImportStatus>;
}

/** How long a read is repeated while the API says that it is not available: a busy machine may cut it off from its database. */
const unavailableMs = 5 * 60_000;

const need = async (url: string, init: RequestInit, startedAt = performance.now()): Promise<string> => {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
  const text = await answer.text();
  if (answer.status === 503 && init.method === "GET" && performance.now() - startedAt < unavailableMs) {
    await sleep(1_000);
    return need(url, init, startedAt);
  }
  if (!answer.ok) throw new Error(`${init.method} ${url}: ${answer.status} ${text.slice(0, 1_000)}`);
  return text;
};

export const openImport = async (
  apiUrl: string,
  partnerToken: string,
  body: object,
): Promise<JourneyImport> => {
  const json = { "content-type": "application/json" };
  const asPartner = { ...json, authorization: basic(partnerToken) };
  const made = await need(`${apiUrl}/api/v2.1/imports`, {
    method: "POST",
    headers: asPartner,
    body: JSON.stringify(body),
  });
  const { id, token } = JSON.parse(made) as { id: string; token: string };
  const customer = (method: string, path: string, given?: object) =>
    need(`${apiUrl}/wizard/api/imports/${id}${path}`, {
      method,
      headers: { ...json, authorization: `Bearer ${token}` },
      ...(given && { body: JSON.stringify(given) }),
    });
  const status = async () =>
    JSON.parse(
      await need(`${apiUrl}/api/v2.1/imports/${id}`, { method: "GET", headers: asPartner }),
    ) as ImportStatus;
  const ask = async <T>(method: string, path: string, given?: object) => {
    const text = await customer(method, path, given);
    return (text === "" ? null : JSON.parse(text)) as T;
  };
  return {
    id,
    status,
    ask,
    text: (path) => customer("GET", path),
    report: () => ask<JourneyReport>("GET", "/report"),
    async until(wanted, meanwhile, patience = patienceMs) {
      const giveUpAt = performance.now() + patience;
      for (;;) {
        const now = await status();
        if (now.status === wanted) return now;
        if (!meanwhile.includes(now.status) || performance.now() > giveUpAt)
          throw new Error(
            `At “${now.status}” and not “${wanted}”: ${JSON.stringify([now, await ask("GET", "/progress")])}`,
          );
        await sleep(500);
      }
    },
  };
};
