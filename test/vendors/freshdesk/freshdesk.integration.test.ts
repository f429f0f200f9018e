import { afterEach, describe, expect, test } from "vitest";
import { expectExcerpt } from "../kit/expect-excerpt.ts";
import { lawTests } from "../kit/law-tests.ts";
import { type VendorClient, vendorClient } from "../kit/vendor-client.ts";
import type { FreshdeskLaw, freshdeskLaws } from "./laws.ts";
import { freshdeskPlan, undescribed } from "./spec.ts";
import { type Freshdesk, type FreshdeskOptions, startFreshdesk } from "./stand-in.ts";

let started: Freshdesk[] = [];
const open = async (options: FreshdeskOptions = {}) => {
  const freshdesk = await startFreshdesk({ quotas: "off", ...options });
  started.push(freshdesk);
  return { freshdesk, call: vendorClient(freshdesk) };
};
afterEach(async () => {
  await Promise.all(started.map((freshdesk) => freshdesk.close()));
  started = [];
});

type Wire = Record<string, unknown> & { id: number };
const rows = ({ body }: { body: unknown }) => body as Wire[];
const one = ({ body }: { body: unknown }) => body as Wire;

const api = "/api/v2";
const all = "updated_since=1970-01-01T00:00:00Z&order_by=updated_at&order_type=asc&per_page=100";
const listed = async (call: VendorClient, more = "") =>
  rows(await call("GET", `${api}/tickets?${all}${more}`));
const bySubject = async (call: VendorClient, subject: string, more = "") =>
  (await listed(call, more)).find((ticket) => ticket["subject"] === subject);
const newTicket = (more: object = {}) => ({
  email: "sam@anvils.example",
  subject: "New",
  description: "<p>x</p>",
  status: 5,
  priority: 1,
  source: 2,
  ...more,
});
const note = (call: VendorClient, id: unknown, body: object) =>
  call("POST", `${api}/tickets/${id}/notes`, body);

test("the excerpt has facts only, and matches the source's file if that is at hand", () => {
  expect(
    expectExcerpt("freshdesk", freshdeskPlan).operations["GET /tickets"]?.query.properties,
  ).toHaveProperty("updated_since");
});

type Seen<S> = { [L in FreshdeskLaw]: (typeof freshdeskLaws)[L]["seen"] extends S ? L : never }[FreshdeskLaw];

/** For each law the smallest caller that breaks it. */
const breaks: { [L in Seen<"request">]: (call: VendorClient, freshdesk: Freshdesk) => Promise<unknown> } = {
  // None of the seed's tickets is younger than 30 days.
  "updated-since": async (call) => expect(rows(await call("GET", `${api}/tickets?per_page=100`))).toEqual([]),
  "page-300": async (call) =>
    expect(await call("GET", `${api}/tickets?${all}&page=301`)).toMatchObject({
      status: 400,
      body: { errors: [{ field: "page", code: "invalid_value" }] },
    }),
  "no-reply": async (call, { ids, counted }) => {
    await call("POST", `${api}/tickets/${ids.get("t1")}/reply`, { body: "Hello" });
    expect(counted.mails).toBe(1);
  },
  "quiet-notes": async (call, { ids, counted }) => {
    await note(call, ids.get("t1"), { body: "Hello", notify_emails: ["bo@desk.example"] });
    expect(counted.mails).toBe(1);
  },
  "no-credentials-to-file-host": async (call) => {
    const ticket = await bySubject(call, "Files of every kind");
    const [file] = one(await call("GET", `${api}/tickets/${ticket?.id}`))["attachments"] as {
      attachment_url: string;
    }[];
    expect((await call("GET", file?.attachment_url ?? "")).status).toBe(400);
  },
  "dates-not-settable": async (call) =>
    expect(
      (await call("POST", `${api}/tickets`, newTicket({ created_at: "2019-01-01T00:00:00Z" }))).status,
    ).toBe(400),
  "find-by-list": async (call) => call("GET", `${api}/search/tickets?query="cf_serial:'A-1'"`),
  "search-page-10": async (call) =>
    expect((await call("GET", `${api}/search/tickets?query="tag:'shop'"&page=11`)).status).toBe(400),
  "fields-exist": async (call) =>
    expect(
      await call("POST", `${api}/tickets`, newTicket({ custom_fields: { cf_unknown: "x" } })),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ field: "cf_unknown", code: "invalid_field" }] },
    }),
  "options-exist": async (call) =>
    call("POST", `${api}/tickets`, newTicket({ custom_fields: { cf_product: "product_anvil_large" } })),
  "files-20-mb": async (call, { ids }) => {
    const form = new FormData();
    form.set("body", "Files");
    for (const name of ["a.bin", "b.bin"])
      form.append("attachments[]", new Blob([Buffer.alloc(11 * 1024 * 1024)]), name);
    expect((await call("POST", `${api}/tickets/${ids.get("t1")}/notes`, form)).status).toBe(400);
  },
  "create-complete": async (call) => {
    const { priority: _, ...bare } = newTicket();
    expect(one(await call("POST", `${api}/tickets`, bare))["priority"]).toBe(1);
  },
  "conflict-heeded": async (call) => {
    const sam = { name: "Sam", unique_external_id: "k1" };
    expect((await call("POST", `${api}/contacts`, { ...sam, email: "sam@anvils.example" })).status).toBe(409);
    await call("POST", `${api}/contacts`, sam);
  },
  "hard-delete-takes-tickets": async (call, { tables }) => {
    const ticket = one(await call("POST", `${api}/tickets`, newTicket()));
    await call("DELETE", `${api}/contacts/${Number(ticket["requester_id"])}/hard_delete?force=true`);
    expect(tables.tickets.get(ticket.id)).toBeUndefined();
  },
  "page-size": async (call) => expect((await call("GET", `${api}/contacts?per_page=101`)).status).toBe(400),
  "wait-when-limited": async (call, { clock }) => {
    for (let each = 0; each < 3; each += 1) await call("GET", `${api}/contacts`);
    clock.advance(2_000);
    expect((await call("GET", `${api}/contacts`)).status).toBe(429);
  },
  "as-described": async (call) =>
    expect((await call("POST", `${api}/contacts`, { mail: "x" })).status).toBe(400),
};

describe(lawTests.request, () => {
  test.each(Object.keys(breaks) as (keyof typeof breaks)[])("%s", async (law) => {
    const quotas = { account: 700, create: 280, update: 280, tickets: 200, contacts: 2 };
    const { freshdesk, call } = await open(law === "wait-when-limited" ? { quotas } : {});
    await breaks[law](call, freshdesk);
    expect(freshdesk.breaches.of(law)).not.toEqual([]);
    expect(freshdesk.lies).toEqual([]);
  });
});

const shows: { [L in Seen<"outcome">]: (call: VendorClient, freshdesk: Freshdesk) => Promise<unknown> } = {
  "description-on-request": async (call) => {
    expect((await listed(call)).some((ticket) => "description" in ticket)).toBe(false);
    expect((await listed(call, "&include=description")).every((ticket) => "description" in ticket)).toBe(
      true,
    );
  },
  "includes-cost": async () => {
    const { call } = await open({
      quotas: { account: 700, create: 280, update: 280, tickets: 200, contacts: 200 },
    });
    const left = async (more: string) =>
      Number((await call("GET", `${api}/tickets?${all}${more}`)).headers.get("x-ratelimit-remaining"));
    const first = await left("");
    expect(first - (await left("&include=description"))).toBe(3);
  },
  "deleted-and-spam-apart": async (call) => {
    expect(await bySubject(call, "Deleted by an agent")).toBeUndefined();
    expect(await bySubject(call, "Deleted by an agent", "&filter=deleted")).toMatchObject({ deleted: true });
    expect(await bySubject(call, "Cheap watches")).toBeUndefined();
    expect(await bySubject(call, "Cheap watches", "&filter=spam")).toMatchObject({ spam: true });
  },
  "archived-apart": async (call, { tables }) => {
    const archived = tables.tickets.all().find((row) => row.archived)?.id;
    expect((await listed(call)).some(({ id }) => id === archived)).toBe(false);
    expect((await call("GET", `${api}/tickets/${archived}`)).status).toBe(404);
    expect(one(await call("GET", `${api}/tickets/archived/${archived}`))["subject"]).toBe("Closed long ago");
    expect((await call("GET", `${api}/tickets/archived/${archived}/conversations`)).status).toBe(200);
  },
  "deleted-has-no-conversations": async (call) => {
    const deleted = await bySubject(call, "Deleted by an agent", "&filter=deleted");
    expect((await call("GET", `${api}/tickets/${deleted?.id}/conversations`)).status).toBe(404);
  },
  "ten-conversations": async (call) => {
    const ticket = await bySubject(call, "A long thread");
    const shown = one(await call("GET", `${api}/tickets/${ticket?.id}?include=conversations`))[
      "conversations"
    ];
    expect(shown).toHaveLength(10);
    expect(rows(await call("GET", `${api}/tickets/${ticket?.id}/conversations?per_page=100`))).toHaveLength(
      24,
    );
  },
  "empty-404": async (call) =>
    expect(await call("GET", `${api}/contacts/1`)).toMatchObject({ status: 404, body: "" }),
  "links-die": async (call, { clock }) => {
    const ticket = await bySubject(call, "An image inside the text", "&include=description");
    const link = /src="([^"]+)"/.exec(String(ticket?.["description"]))?.[1] ?? "";
    expect((await fetch(link)).status).toBe(200);
    clock.advance(6 * 60_000);
    expect((await fetch(link)).status).toBe(403);
    const again = await bySubject(call, "An image inside the text", "&include=description");
    expect((await fetch(/src="([^"]+)"/.exec(String(again?.["description"]))?.[1] ?? "")).status).toBe(200);
  },
  "conflict-names-contact": async (call, { ids }) =>
    expect(await call("POST", `${api}/contacts`, { name: "Sam", email: "SAM@anvils.example" })).toMatchObject(
      {
        status: 409,
        body: { errors: [{ code: "duplicate_value", additional_info: { user_id: ids.get("same1") } }] },
      },
    ),
  "chat-repeats-description": async (call, { ids }) => {
    const ticket = one(await call("GET", `${api}/tickets/${ids.get("t1")}?include=conversations`));
    const [first] = ticket["conversations"] as Wire[];
    expect([ticket["source"], first?.["body"]]).toEqual([15, ticket["description"]]);
  },
  "create-mails": async (call, freshdesk) => {
    await call("POST", `${api}/tickets`, newTicket());
    expect(freshdesk.counted.mails).toBe(0);
    const loud = await open({ notifications: true });
    const { id } = one(await loud.call("POST", `${api}/tickets`, newTicket()));
    expect(loud.freshdesk.counted.mails).toBe(1);
    await note(loud.call, id, { body: "Private", private: true });
    expect(loud.freshdesk.counted.mails).toBe(1);
    await note(loud.call, id, { body: "Public", private: false });
    expect(loud.freshdesk.counted.mails).toBe(2);
  },
  "ticket-20-mb": async (call) => {
    const { id } = one(await call("POST", `${api}/tickets`, newTicket()));
    const statuses: number[] = [];
    for (const name of ["a.bin", "b.bin"]) {
      const form = new FormData();
      form.set("body", "A file");
      form.append("attachments[]", new Blob([Buffer.alloc(11 * 1024 * 1024)]), name);
      statuses.push((await call("POST", `${api}/tickets/${id}/notes`, form)).status);
    }
    expect(statuses).toEqual([201, 400]);
  },
  "notes-alone-change": async (call) => {
    const { id } = one(await call("POST", `${api}/tickets`, newTicket()));
    const { id: noteId } = one(await note(call, id, { body: "Before" }));
    const form = new FormData();
    form.set("body", "After");
    form.append("attachments[]", new Blob(["pdf"]), "a.pdf");
    const changed = one(await call("PUT", `${api}/conversations/${noteId}`, form));
    expect([changed["body"], (changed["attachments"] as Wire[]).length]).toEqual(["After", 1]);
    const ticket = await bySubject(call, "A long thread");
    const thread = rows(await call("GET", `${api}/tickets/${ticket?.id}/conversations?per_page=100`));
    const reply = thread.find((each) => each["source"] === 0);
    expect((await call("PUT", `${api}/conversations/${reply?.id}`, { body: "x" })).status).toBe(400);
  },
  "company-of-requester": async (call, { ids }) =>
    expect(
      await call("POST", `${api}/tickets`, newTicket({ email: "new@b.example", company_id: ids.get("o1") })),
    ).toMatchObject({ status: 400, body: { errors: [{ field: "company_id" }] } }),
  "companies-unique": async (call) => {
    const post = (given: object) => call("POST", `${api}/companies`, given);
    await post({ name: "Acme", domains: ["acme.example"] });
    expect(await post({ name: "ACME" })).toMatchObject({
      status: 409,
      body: { errors: [{ field: "name" }] },
    });
    expect(await post({ name: "Other", domains: ["acme.example"] })).toMatchObject({
      status: 409,
      body: { errors: [{ field: "domains" }] },
    });
  },
  "people-gone": async (call, { ids }) => {
    const ticket = await bySubject(call, "From people who are gone");
    expect(ticket?.["requester_id"]).toBe(ids.get("leaver"));
    expect(one(await call("GET", `${api}/contacts/${ids.get("leaver")}`))).toMatchObject({ deleted: true });
    expect(rows(await call("GET", `${api}/contacts?per_page=100`)).map(({ id }) => id)).not.toContain(
      ids.get("leaver"),
    );
    expect((await call("GET", `${api}/agents/${ids.get("gone")}`)).status).toBe(404);
  },
};

describe(lawTests.outcome, () => {
  test.each(Object.keys(shows) as (keyof typeof shows)[])("%s", async (law) => {
    const { freshdesk, call } = await open();
    await shows[law](call, freshdesk);
    for (const each of started) expect([each.lies, each.breaches.all]).toEqual([[], []]);
  });
});

test("a caller that keeps all laws moves a ticket with notes by their authors and files, silently", async () => {
  const { freshdesk, call } = await open({ sizes: null });
  const before = freshdesk.digest();
  const field = one(
    await call("POST", `${api}/admin/ticket_fields`, { label: "Import key", type: "custom_text" }),
  );
  const contact = one(
    await call("POST", `${api}/contacts`, {
      name: "Sam",
      email: "sam@anvils.example",
      unique_external_id: "u1",
    }),
  );
  const form = new FormData();
  for (const [name, value] of [
    ["subject", "Moved"],
    ["description", "<p>First</p>"],
    ["requester_id", String(contact.id)],
    ["status", "5"],
    ["priority", "2"],
    ["source", "2"],
    ["tags[]", "a"],
    ["tags[]", "b"],
    ["custom_fields[cf_import_key]", "t1"],
  ] as const)
    form.append(name, value);
  form.append("attachments[]", new Blob(["pdf"], { type: "application/pdf" }), "résumé (1).pdf");
  const created = await call("POST", `${api}/tickets`, form);
  expect(created).toMatchObject({
    status: 201,
    body: { tags: ["a", "b"], status: 5, custom_fields: { cf_import_key: "t1" } },
  });
  const ticket = one(created);
  const [file] = ticket["attachments"] as { name: string; attachment_url: string }[];
  expect([file?.name, await (await fetch(file?.attachment_url ?? "")).text()]).toEqual([
    "résumé (1).pdf",
    "pdf",
  ]);
  await note(call, ticket.id, { body: "<p>Second</p>", private: false, incoming: true, user_id: contact.id });
  const [second] = rows(await call("GET", `${api}/tickets/${ticket.id}/conversations`));
  expect(second).toMatchObject({
    user_id: contact.id,
    private: false,
    incoming: true,
    body: "<p>Second</p>",
  });
  // Found again by a list, not by search.
  expect((await listed(call)).map((each) => (each["custom_fields"] as Wire)["cf_import_key"])).toEqual([
    "t1",
  ]);
  expect(rows(await call("GET", `${api}/contacts?unique_external_id=u1`)).map(({ id }) => id)).toEqual([
    contact.id,
  ]);
  expect(freshdesk.counted.mails).toBe(0);

  await call("DELETE", `${api}/tickets/${ticket.id}`);
  await call("DELETE", `${api}/contacts/${contact.id}`);
  await call("DELETE", `${api}/admin/ticket_fields/${field.id}`);
  expect(freshdesk.digest()).toBe(before);
  expect([freshdesk.lies, freshdesk.breaches.all]).toEqual([[], []]);
});

test("every GET answers as described, and names what has no description", async () => {
  const { freshdesk, call } = await open();
  const { ids, tables } = freshdesk;
  const values: Record<string, unknown> = {
    ticket_id: ids.get("t1"),
    contact_id: ids.get("same1"),
    company_id: ids.get("o1"),
    agent_id: ids.get("agent1"),
    group_id: ids.get("g1"),
    category_id: ids.get("category"),
    folder_id: ids.get("folder"),
    article_id: ids.get("a1"),
  };
  const archived = tables.tickets.all().find((row) => row.archived)?.id;
  const reads = [...freshdeskPlan.operations, ...undescribed].filter((operation) =>
    operation.startsWith("GET"),
  );
  for (const operation of reads) {
    const given = operation.includes("archived") ? { ...values, ticket_id: archived } : values;
    const path = operation.slice(4).replaceAll(/\{([^}]+)\}/g, (_, name: string) => String(given[name]));
    const query = path.includes("search") ? `?query="tag:'x'"` : path === "/tickets" ? `?${all}` : "";
    expect([operation, (await call("GET", `${api}${path}${query}`)).status]).toEqual([operation, 200]);
  }
  expect(freshdesk.lies).toEqual([]);
  expect(
    [...freshdesk.unvalidated.keys()].filter((key) => !undescribed.some((each) => key.startsWith(each))),
  ).toEqual([]);
});

test("pages by number with a Link header; a row that moves between two pages is missed", async () => {
  const { freshdesk, call } = await open();
  const page = (number: number) => call("GET", `${api}/contacts?per_page=1&page=${number}`);
  const first = await page(1);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  expect(rows(await call("GET", next))).toEqual(rows(await page(2)));
  const [moved] = rows(await page(2));
  freshdesk.fault("GET /contacts", {
    meanwhile: () => freshdesk.tables.people.remove(rows(first)[0]?.id ?? 0),
  });
  expect(rows(await page(2)).map(({ id }) => id)).not.toContain(moved?.id);
});

test("sign-in, limits per class, and the search index that lags", async () => {
  const quotas = { account: 700, create: 1, update: 280, tickets: 200, contacts: 200 };
  const { freshdesk, call } = await open({ quotas });
  expect(
    await vendorClient({ url: freshdesk.url, authorization: "Basic eDp4" })("GET", `${api}/agents/me`),
  ).toMatchObject({
    status: 401,
    body: { code: "invalid_credentials" },
  });
  expect(one(await call("GET", `${api}/agents/me`)).id).toBe(freshdesk.ids.get("admin"));
  await call("POST", `${api}/tickets`, newTicket({ subject: "zx81" }));
  const limited = await call("POST", `${api}/tickets`, newTicket());
  expect([limited.status, Number(limited.headers.get("retry-after")) > 0]).toEqual([429, true]);
  const found = async () =>
    ((await call("GET", `${api}/search/tickets?query="subject:'zx81'"`)).body as { total: number }).total;
  expect(await found()).toBe(0);
  freshdesk.clock.advance(6 * 60_000);
  expect(await found()).toBe(1);
  freshdesk.forbid("GET /companies");
  expect(await call("GET", `${api}/companies`)).toMatchObject({
    status: 403,
    body: { code: "access_denied" },
  });
});
