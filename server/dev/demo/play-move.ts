import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

export interface Playing {
  readonly api: string;
  readonly token: string;
  readonly attic: { readonly url: string; readonly key: string };
  readonly ferry: string;
  say(what: string): void;
}

interface Cause {
  readonly code: string;
  readonly count: number;
}

interface Report {
  readonly addsUp: boolean;
  readonly streams: readonly {
    readonly label: string;
    readonly source: number;
    readonly written: number;
    readonly matched: number;
    readonly skipped: readonly Cause[];
    readonly failed: readonly Cause[];
    readonly verified: { readonly compared: number; readonly same: number; readonly differs: number };
  }[];
}

const pollMs = 300;
/** Far beyond what a slow machine needs: it only ends a demo that hangs. */
const patienceMs = 600_000;

const ask = async (url: string, init: RequestInit = {}): Promise<string> => {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${init.method ?? "GET"} ${url}: ${answer.status} ${text.slice(0, 500)}`);
  return text;
};

/** A form as the page's own browser sends it. */
const submit = (url: string, fields: Readonly<Record<string, string>>) =>
  ask(url, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(fields),
  });

const total = (causes: readonly Cause[]) => causes.reduce((sum, { count }) => sum + count, 0);

const columns = [
  "kind",
  "in the old",
  "copied",
  "matched",
  "left out",
  "failed",
  "compared",
  "equal",
  "differ",
];

const tableOf = ({ streams }: Report): string =>
  [
    columns,
    ...streams.map(({ label, source, written, matched, skipped, failed, verified }) => [
      label,
      source,
      written,
      matched,
      total(skipped),
      total(failed),
      verified.compared,
      verified.same,
      verified.differs,
    ]),
  ]
    .map((row) => row.map((cell, index) => String(cell)[index === 0 ? "padEnd" : "padStart"](13)).join(""))
    .join("\n");

const must = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`The demo did not end as it should: ${what}.`);
};

/** Plays the whole demo over HTTP: what the customer, the partner's page and the old tool's agent would click. */
export const playMove = async ({ api, token, attic, ferry, say }: Playing): Promise<void> => {
  const moves = await submit(`${ferry}/moves`, { tool: "attic-desk", key: randomUUID() });
  const [, id, customerToken] = /class="go" href="[^"]+\/imports\/([^/"]+)\/([^/"]+)"/.exec(moves) ?? [];
  must(id !== undefined, "Ferry Desk shows no link to the wizard");
  say(`Ferry Desk started import ${id}`);
  const authorization = `Basic ${Buffer.from(`${token}:X`).toString("base64")}`;

  const customer = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const text = await ask(`${api}/wizard/api/imports/${id}${path}`, {
      method,
      headers: { authorization: `Bearer ${customerToken}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (text === "" ? null : JSON.parse(text)) as T;
  };
  const statusNow = async () =>
    (
      JSON.parse(await ask(`${api}/api/v2.1/imports/${id}`, { headers: { authorization } })) as {
        status: string;
      }
    ).status;
  const run = async (kind: string, meanwhile: string, end: string): Promise<void> => {
    await customer("POST", "/runs", { kind });
    const giveUpAt = performance.now() + patienceMs;
    for (let status = await statusNow(); status !== end; status = await statusNow()) {
      must(status === meanwhile && performance.now() < giveUpAt, `the status is “${status}”, not “${end}”`);
      await sleep(pollMs);
    }
    say(end);
  };
  const ticketsAt = async (subject: string) => {
    const list = await ask(`${ferry}/?q=${encodeURIComponent(subject)}`);
    return [...list.matchAll(/href="(\/tickets\/\d+)"/g)].map(([, path = ""]) => path);
  };

  await customer("PUT", "/connections/source", { settings: { instanceUrl: attic.url, token: attic.key } });
  await customer("PUT", "/connections/destination", { settings: {} });
  say("both tools are connected");
  await run("sample", "Sample migration in progress", "Sample migration completed");
  if ((await statusNow()) !== "In preparation") await customer("POST", "/ask-full");
  await run("full", "Migration in progress", "Migration completed");
  const full = await customer<Report>("GET", "/report");
  console.log(`\n${tableOf(full)}\n`);
  must(full.addsUp, "the report does not add up");

  const subject = "Smells burnt when dimmed";
  const words = `Answered in the old help desk after the move, ${randomUUID()}`;
  const found = JSON.parse(
    await ask(`${attic.url}/api/tickets?after=0&limit=50`, { headers: { "x-attic-key": attic.key } }),
  ) as { rows: { id: number; subject: string; state: string }[] };
  const ticket = found.rows.find((row) => row.subject === subject);
  await submit(`${attic.url}/tickets/${ticket?.id}/reply`, { text: words, state: ticket?.state ?? "" });
  say(`an agent answers ticket ${ticket?.id} in Attic Desk`);
  await run("delta", "Migration in progress", "Migration completed");
  const pages = await Promise.all((await ticketsAt(subject)).map((path) => ask(`${ferry}${path}`)));
  must(pages.filter((page) => page.includes(words)).length === 1, "the answer is not in Ferry Desk once");
  say("the answer is in Ferry Desk too");

  await run("undo", "Undo in progress", "Migration cleaned");
  must((await ticketsAt(subject)).length === 0, "copies are left in Ferry Desk");
  must((await ask(`${attic.url}/tickets/${ticket?.id}`)).includes(words), "Attic Desk lost something");
  say("Ferry Desk is empty again, Attic Desk is as it was. That was the whole story.");
};
