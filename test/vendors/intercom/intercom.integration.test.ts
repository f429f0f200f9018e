import { afterEach, describe, expect, test } from "vitest";
import { expectExcerpt } from "../kit/expect-excerpt.ts";
import { lawTests } from "../kit/law-tests.ts";
import { smallSizes } from "../kit/seed-nasty.ts";
import { type VendorClient, vendorClient } from "../kit/vendor-client.ts";
import type { IntercomLaw, intercomLaws } from "./laws.ts";
import { intercomPlan } from "./spec.ts";
import { type Intercom, type IntercomOptions, startIntercom } from "./stand-in.ts";
import { hexId } from "./tables.ts";

let started: Intercom[] = [];
const open = async (options: IntercomOptions = {}) => {
  const intercom = await startIntercom({ quotas: "off", ...options });
  started.push(intercom);
  const bare = vendorClient(intercom);
  const call: VendorClient = (method, path, body, headers) =>
    bare(method, path, body, { "intercom-version": "2.16", ...headers });
  return { intercom, call, bare };
};
afterEach(async () => {
  await Promise.all(started.map((intercom) => intercom.close()));
  started = [];
});

type Wire = Record<string, unknown> & { id: string };
const wire = ({ body }: { body: unknown }) => body as Wire;
const rows = (answer: { body: unknown }, name: string) => (wire(answer)[name] ?? []) as Wire[];
const since = (value: number) => ({ field: "updated_at", operator: ">", value });
const search = async (call: VendorClient, what: string, size = 10) => {
  const found: Wire[] = [];
  let starting_after: string | undefined;
  do {
    const pagination = { per_page: size, ...(starting_after !== undefined && { starting_after }) };
    const answer = await call("POST", `/${what}/search`, { query: since(0), pagination });
    found.push(...rows(answer, what === "contacts" ? "data" : what));
    starting_after = (wire(answer)["pages"] as { next?: { starting_after: string } }).next?.starting_after;
  } while (starting_after !== undefined);
  return found;
};
const read = async (call: VendorClient, title: string) => {
  const item = (await search(call, "conversations")).find((each) => each["title"] === title);
  return wire(await call("GET", `/conversations/${item?.id}`));
};
const partsOf = (conversation: Wire) =>
  (conversation["conversation_parts"] as { conversation_parts: Wire[] }).conversation_parts;
const fileIn = (conversation: Wire) =>
  /src="([^"]+)"/.exec((conversation["source"] as { body: string }).body)?.[1] ?? "";

test("the excerpt has facts only, and matches the vendor's file if that is at hand", () => {
  expect(expectExcerpt("intercom", intercomPlan).version).toBe("2.16");
});

type Seen<S> = { [L in IntercomLaw]: (typeof intercomLaws)[L]["seen"] extends S ? L : never }[IntercomLaw];
type Show = (call: VendorClient, intercom: Intercom, bare: VendorClient) => Promise<unknown>;

/** For each law the smallest caller that breaks it. */
const breaks: { [L in Seen<"request">]: Show } = {
  "pin-the-version": async (_call, _intercom, bare) => bare("GET", "/me"),
  "companies-by-scroll": async (call) =>
    expect((await call("POST", "/companies/list?per_page=100&page=101")).status).toBe(400),
  "one-scroll": async (call) => {
    await call("GET", "/companies/scroll");
    expect((await call("GET", "/companies/scroll")).status).toBe(400);
  },
  "scroll-does-not-resume": async (call, { clock }) => {
    const { scroll_param: param } = wire(await call("GET", "/companies/scroll"));
    clock.advance(61_000);
    expect((await call("GET", `/companies/scroll?scroll_param=${String(param)}`)).status).toBe(404);
  },
  "wait-for-reset": async (call, { clock }) => {
    for (let each = 0; each < 3; each += 1) await call("GET", "/me");
    clock.advance(2_000);
    const answer = await call("GET", "/me");
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, null]);
    expect(Number(answer.headers.get("x-ratelimit-reset")) * 1000).toBeGreaterThan(clock.now());
  },
  "page-size": async (call) => expect((await call("GET", "/contacts?per_page=151")).status).toBe(400),
  "few-filters": async (call) => {
    const query = { operator: "AND", value: Array.from({ length: 16 }, () => since(0)) };
    expect((await call("POST", "/contacts/search", { query })).status).toBe(400);
  },
  "unix-seconds": async (call) =>
    expect(rows(await call("POST", "/contacts/search", { query: since(Date.now() - 1e12) }), "data")).toEqual(
      [],
    ),
  "no-credentials-to-file-host": async (call) =>
    expect((await call("GET", fileIn(await read(call, "An image inside the text")))).status).toBe(400),
  "as-described": async (call) => expect((await call("GET", "/conversations?order=asc")).status).toBe(400),
};

describe(lawTests.request, () => {
  test.each(Object.keys(breaks) as (keyof typeof breaks)[])("%s", async (law) => {
    const { intercom, call, bare } = await open(law === "wait-for-reset" ? { quotas: { app: 2 } } : {});
    await breaks[law](call, intercom, bare);
    expect(intercom.breaches.all.map((breach) => breach.law)).toContain(law);
    expect(intercom.lies).toEqual([]);
  });
});

const shows: { [L in Seen<"outcome">]: Show } = {
  "first-message-is-source": async (call) => {
    const conversation = await read(call, "A long thread");
    expect(conversation["source"]).toMatchObject({ body: "<p>Message 1</p>" });
    expect(partsOf(conversation)[0]?.["body"]).toBe("<p>Message 2</p>");
  },
  "newest-500-parts": async () => {
    const { call } = await open({ sizes: { ...smallSizes, longThread: 502 } });
    const conversation = await read(call, "A long thread");
    const spoken = partsOf(conversation).filter((part) => part["part_type"] !== "close");
    expect(partsOf(conversation)).toHaveLength(500);
    expect(spoken.at(-1)?.["body"]).toBe("<p>Message 502</p>");
    expect(conversation["conversation_parts"]).toMatchObject({
      total_count: spoken.length === 500 ? 501 : 502,
    });
  },
  "lists-have-no-parts": async (call) => {
    const all = [
      ...(await search(call, "conversations")),
      ...rows(await call("GET", "/conversations"), "conversations"),
    ];
    expect(all.some((each) => "conversation_parts" in each)).toBe(false);
  },
  "not-every-part-speaks": async (call, { tables }) => {
    const closed = tables.conversations.live().find(({ data }) => data.state === "closed");
    const conversation = wire(await call("GET", `/conversations/${closed?.id}`));
    expect(partsOf(conversation).at(-1)).toMatchObject({ part_type: "close", body: null });
  },
  "authors-gone": async (call, { ids }) => {
    const conversation = await read(call, "From people who are gone");
    const id = hexId(ids.get("leaver") ?? 0);
    expect(conversation["source"]).toMatchObject({ author: { id, name: null, email: null } });
    expect((await call("GET", `/contacts/${id}`)).status).toBe(404);
  },
  "tickets-apart": async (call, { tables }) => {
    const tickets = await search(call, "tickets");
    expect(tickets).toHaveLength(tables.tickets.live().length);
    expect(tickets[0]?.["ticket_attributes"]).toHaveProperty("_default_title_");
    const known = new Set((await search(call, "conversations")).map(({ id }) => id));
    expect(tickets.some(({ id }) => known.has(id))).toBe(false);
  },
  "deleted-apart": async (call, { tables }) => {
    const { id } = tables.conversations.live()[0] ?? { id: 0 };
    tables.conversations.remove(id);
    expect((await search(call, "conversations")).map((each) => each.id)).not.toContain(String(id));
    expect(
      rows(await call("GET", "/conversations/deleted"), "conversations").map((each) => each.id),
    ).toContain(String(id));
    expect((await call("GET", `/conversations/${id}`)).status).toBe(404);
  },
  "company-needs-contact": async (call, { tables }) => {
    const names = rows(await call("GET", "/companies/scroll"), "data").map((each) => each["name"]);
    expect(tables.companies.live().map(({ data }) => data.name)).toEqual(expect.arrayContaining(names));
    expect(names).not.toContain("Größe & Söhne «GmbH» 🚀");
  },
  "links-die": async (call, { clock }) => {
    const link = fileIn(await read(call, "An image inside the text"));
    expect((await fetch(link)).status).toBe(200);
    clock.advance(31 * 60_000);
    expect((await fetch(link)).status).toBe(403);
  },
  "newest-first": async (call, intercom) => {
    const { tables } = intercom;
    const [newest] = rows(await call("GET", "/conversations?per_page=1"), "conversations");
    expect(Number(newest?.["updated_at"])).toBe(
      Math.max(...tables.conversations.live().map(({ updatedAt }) => Math.floor(updatedAt / 1000))),
    );
    const oldest = tables.conversations.live().toSorted((a, b) => a.updatedAt - b.updatedAt)[0];
    intercom.fault("POST /conversations/search", { delayMs: 0 });
    intercom.fault("POST /conversations/search", {
      meanwhile: () => void tables.conversations.update(oldest?.id ?? 0, { state: "snoozed" }),
    });
    expect((await search(call, "conversations")).map(({ id }) => id)).not.toContain(String(oldest?.id));
  },
};

describe(lawTests.outcome, () => {
  test.each(Object.keys(shows) as (keyof typeof shows)[])("%s", async (law) => {
    const { intercom, call, bare } = await open();
    await shows[law](call, intercom, bare);
    for (const each of started) expect([each.lies, each.breaches.all]).toEqual([[], []]);
  });
});

test("every operation answers as described", async () => {
  const { intercom, call } = await open();
  const { ids, tables } = intercom;
  const values: Record<string, unknown> = {
    admin_id: ids.get("agent1"),
    company_id: hexId(ids.get("o1") ?? 0),
    contact_id: hexId(ids.get("same1") ?? 0),
    conversation_id: tables.conversations.live()[0]?.id,
    ticket_id: tables.tickets.live()[0]?.id,
    article_id: ids.get("a1"),
  };
  for (const operation of intercomPlan.operations) {
    const [method = "", path = ""] = operation.split(" ");
    const url = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => String(values[name]));
    const body = path.endsWith("/search") ? { query: since(0) } : undefined;
    expect([operation, (await call(method, url, body)).status]).toEqual([operation, 200]);
  }
  expect([intercom.lies, intercom.breaches.all, [...intercom.unvalidated]]).toEqual([[], [], []]);
});

test("state, filters, a scroll to its end, sign-in and a permission that is missing", async () => {
  const { intercom, call } = await open();
  const { tables, ids, clock } = intercom;
  expect(await search(call, "contacts", 3)).toHaveLength(tables.contacts.live().length);
  const query = {
    operator: "AND",
    value: [
      { field: "role", operator: "=", value: "lead" },
      { field: "email", operator: "~", value: "sam@" },
    ],
  };
  expect(rows(await call("POST", "/contacts/search", { query }), "data").map(({ id }) => id)).toEqual([
    hexId(ids.get("same2") ?? 0),
  ]);
  const mark = Math.floor(clock.now() / 1000) - 1;
  tables.conversations.update(ids.get("t1") ?? 0, { state: "snoozed" });
  const changed = await call("POST", "/conversations/search", { query: since(mark) });
  expect(rows(changed, "conversations")).toMatchObject([{ id: String(ids.get("t1")), state: "snoozed" }]);
  const { scroll_param: param } = wire(await call("GET", "/companies/scroll"));
  expect(rows(await call("GET", `/companies/scroll?scroll_param=${String(param)}`), "data")).toEqual([]);
  expect((await call("GET", "/companies/scroll")).status).toBe(200);
  expect((await call("GET", "/me", undefined, { authorization: "Bearer x" })).status).toBe(401);
  intercom.forbid("POST /tickets/search");
  expect(await call("POST", "/tickets/search", { query: since(0) })).toMatchObject({
    status: 403,
    body: { type: "error.list", errors: [{ code: "action_forbidden" }] },
  });
  expect([intercom.lies, intercom.breaches.all]).toEqual([[], []]);
});
