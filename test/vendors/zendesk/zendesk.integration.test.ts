import { afterEach, describe, expect, test } from "vitest";
import { expectExcerpt } from "../kit/expect-excerpt.ts";
import { lawTests } from "../kit/law-tests.ts";
import { type VendorClient, vendorClient } from "../kit/vendor-client.ts";
import type { ZendeskLaw, zendeskLaws } from "./laws.ts";
import { undescribed, zendeskPlan } from "./spec.ts";
import { startZendesk, type Zendesk, type ZendeskOptions } from "./stand-in.ts";

let started: Zendesk[] = [];
const open = async (options: ZendeskOptions = {}) => {
  const zendesk = await startZendesk({ quotas: "off", ...options });
  started.push(zendesk);
  return { zendesk, call: vendorClient(zendesk) };
};
afterEach(async () => {
  await Promise.all(started.map((zendesk) => zendesk.close()));
  started = [];
});

type Wire = Record<string, unknown> & { id: number };
const rows = (answer: { body: unknown }, name: string) => (answer.body as Record<string, Wire[]>)[name] ?? [];
const one = (answer: { body: unknown }, name: string) => (answer.body as Record<string, Wire>)[name] as Wire;

const filesOf = (comment: Wire | undefined) =>
  (comment?.["attachments"] ?? []) as { file_name: string; content_url: string; inline: boolean }[];

const api = "/api/v2";
const importOne = (call: VendorClient, zendesk: Zendesk, ticket: object = {}) =>
  call("POST", `${api}/imports/tickets`, {
    ticket: {
      subject: "Moved",
      requester_id: zendesk.ids.get("same1") ?? zendesk.ids.get("admin"),
      comments: [{ value: "Hello" }],
      ...ticket,
    },
  });
const importMany = (call: VendorClient, zendesk: Zendesk, keys: readonly string[]) =>
  call("POST", `${api}/imports/tickets/create_many`, {
    tickets: keys.map((key) => ({
      subject: key,
      external_id: key,
      requester_id: zendesk.ids.get("admin"),
      comments: [{ value: key }],
    })),
  });
const exported = async (call: VendorClient, size = 20) => {
  const found: Wire[] = [];
  let answer = await call("GET", `${api}/incremental/tickets/cursor?start_time=0&per_page=${size}`);
  for (;;) {
    found.push(...rows(answer, "tickets"));
    const { end_of_stream: ended, after_cursor: cursor } = answer.body as Record<string, unknown>;
    if (ended === true) return found;
    answer = await call("GET", `${api}/incremental/tickets/cursor?cursor=${cursor}&per_page=${size}`);
  }
};
const token = async (zendesk: Zendesk, given: Record<string, string>) => {
  const answer = await fetch(`${zendesk.url}/oauth/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(given),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};
const consent = async (zendesk: Zendesk) => {
  const back = "https://portage.example/back";
  const answer = await fetch(`${zendesk.url}/oauth/authorizations/new?redirect_uri=${back}&state=s`, {
    redirect: "manual",
  });
  const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
  return { grant_type: "authorization_code", code, redirect_uri: back };
};

test("the excerpt has facts only, and matches the vendor's file if that is at hand", () => {
  expect(expectExcerpt("zendesk", zendeskPlan).version).toBe("2.0.0");
});

type Seen<S> = { [L in ZendeskLaw]: (typeof zendeskLaws)[L]["seen"] extends S ? L : never }[ZendeskLaw];

/** For each law the smallest caller that breaks it. */
const breaks: { [L in Seen<"request">]: (call: VendorClient, zendesk: Zendesk) => Promise<unknown> } = {
  "start-time-once": async (call) => {
    await call("GET", `${api}/incremental/tickets/cursor?start_time=0&per_page=5`);
    await call("GET", `${api}/incremental/tickets/cursor?start_time=1709290000&per_page=5`);
  },
  "start-time-not-recent": async (call, { clock }) =>
    call("GET", `${api}/incremental/organizations?start_time=${Math.floor(clock.now() / 1000)}`),
  "export-not-list": async (call) => call("GET", `${api}/tickets?per_page=5&page=2`),
  "find-by-external-id": async (call) => call("GET", `${api}/search?query=external_id:k1`),
  "no-credentials-to-file-host": async (call, zendesk) => {
    const answer = await call("GET", `${api}/tickets/${zendesk.ids.get("t1")}/comments?page=1`);
    const [file] = rows(answer, "comments").flatMap(filesOf);
    expect((await call("GET", file?.content_url ?? "")).status).toBe(400);
  },
  "one-import-per-ticket": async (call, zendesk) => {
    const update = () =>
      call("PUT", `${api}/tickets/${zendesk.ids.get("t1")}`, {
        ticket: { comment: { body: "One more", public: false } },
      });
    for (let each = 0; each < 30; each += 1) expect((await update()).status).toBe(200);
    expect((await update()).status).toBe(429);
  },
  "import-not-create": async (call) =>
    call("POST", `${api}/tickets`, { ticket: { subject: "x", comment: { body: "x" } } }),
  "no-update-after-import": async (call, zendesk) => {
    const { id } = one(await importOne(call, zendesk), "ticket");
    await call("PUT", `${api}/tickets/${id}`, { ticket: { comment: { body: "An answer" } } });
    expect(zendesk.counted.mails).toBe(1);
  },
  "deleted-before-purged": async (call, zendesk) => {
    const { id } = one(await importOne(call, zendesk), "ticket");
    await call("DELETE", `${api}/deleted_tickets/destroy_many?ids=${id}`);
    zendesk.clock.advance(1_000);
    expect((await call("GET", `${api}/tickets/${id}`)).status).toBe(200);
  },
  "comments-have-64-kb": async (call, zendesk) =>
    importOne(call, zendesk, { comments: [{ value: "x".repeat(65_536) }] }),
  "skip-verify-email": async (call) =>
    call("POST", `${api}/users`, { user: { name: "New", email: "new@anvils.example" } }),
  "silent-articles": async (call, { tables }) =>
    call("POST", `${api}/help_center/sections/${tables.sections.live()[0]?.id}/articles`, {
      article: { title: "New" },
    }),
  "wait-when-limited": async (call, { clock }) => {
    for (let each = 0; each < 12; each += 1)
      await call("GET", `${api}/incremental/organizations?start_time=0`);
    clock.advance(2_000);
    await call("GET", `${api}/incremental/organizations?start_time=0`);
  },
  "at-most-100": async (call, zendesk) =>
    importMany(
      call,
      zendesk,
      Array.from({ length: 101 }, (_, each) => `many-${each}`),
    ),
  "jobs-are-polled": async (call, zendesk) => {
    zendesk.jobsTake(60_000);
    await importMany(call, zendesk, ["twice"]);
    await importMany(call, zendesk, ["twice"]);
  },
  "few-jobs-at-once": async (call, zendesk) => {
    zendesk.jobsTake(60_000);
    for (let each = 0; each <= 30; each += 1) await importMany(call, zendesk, [`job-${each}`]);
  },
  "external-id-not-unique": async (call, zendesk) => {
    await importOne(call, zendesk, { external_id: "k1" });
    expect((await importOne(call, zendesk, { external_id: "k1" })).status).toBe(201);
  },
  "bulk-users-off": async (call) => {
    for (let each = 0; each < 2; each += 1)
      expect((await call("POST", `${api}/users/create_many`, { users: [{ name: "New" }] })).status).toBe(403);
  },
  "refresh-token-once": async (_, zendesk) => {
    const first = await token(zendesk, { ...(await consent(zendesk)), expires_in: "1800" });
    const again = {
      grant_type: "refresh_token",
      refresh_token: first.body["refresh_token"] ?? "",
      expires_in: "1800",
    };
    expect((await token(zendesk, again)).status).toBe(200);
    expect(await token(zendesk, again)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  },
  "ask-for-expiry": async (_, zendesk) =>
    expect((await token(zendesk, await consent(zendesk))).body["refresh_token"]).toBeUndefined(),
  "dates-in-the-past": async (call, zendesk) =>
    expect((await importOne(call, zendesk, { created_at: "2999-01-01T00:00:00Z" })).status).toBe(422),
  "upload-token-once": async (call, zendesk) => {
    const upload = one(
      await call("POST", `${api}/uploads?filename=a.txt`, Buffer.from("a"), { "content-type": "text/plain" }),
      "upload",
    );
    zendesk.clock.advance(61 * 60_000);
    await importOne(call, zendesk, { comments: [{ value: "x", uploads: [upload["token"]] }] });
  },
  "options-by-tag": async (call, zendesk) =>
    importOne(call, zendesk, { custom_fields: [{ id: zendesk.ids.get("product"), value: "Anvil (large)" }] }),
  "offset-depth": async (call) => expect((await call("GET", `${api}/users?page=101`)).status).toBe(400),
  "page-size": async (call) => call("GET", `${api}/users?per_page=500`),
  "as-described": async (call, zendesk) =>
    expect((await importOne(call, zendesk, { colour: "red" })).status).toBe(400),
  "closed-is-final": async (call, zendesk) => {
    const { id } = one(await importOne(call, zendesk, { status: "closed" }), "ticket");
    expect((await call("PUT", `${api}/tickets/${id}`, { ticket: { subject: "x" } })).status).toBe(422);
  },
};

describe(lawTests.request, () => {
  test.each(Object.keys(breaks) as (keyof typeof breaks)[])("%s", async (law) => {
    const { zendesk, call } = await open(
      law === "wait-when-limited" ? { quotas: { account: 700, export: 10, update: 100 } } : {},
    );
    expect(zendesk.breaches.all).toEqual([]);
    await breaks[law](call, zendesk);
    expect(zendesk.breaches.of(law)).not.toEqual([]);
    expect(zendesk.lies).toEqual([]);
  });
});

const shows: { [L in Seen<"outcome">]: (call: VendorClient, zendesk: Zendesk) => Promise<unknown> } = {
  "tags-are-words": async (call, zendesk) =>
    expect(one(await importOne(call, zendesk, { tags: ["Very urgent", "vip"] }), "ticket")["tags"]).toEqual([
      "very",
      "urgent",
      "vip",
    ]),
  "tasks-are-due": async (call, zendesk) => {
    const due_at = "2031-02-03T00:00:00Z";
    const dueAt = async (type: string) =>
      one(await importOne(call, zendesk, { type, due_at }), "ticket")["due_at"];
    expect([await dueAt("task"), await dueAt("question")]).toEqual([due_at, null]);
  },
  "comments-are-wrapped": async (call, zendesk) => {
    const { id } = one(await importOne(call, zendesk, { comments: [{ html_body: "<p>Hi</p>" }] }), "ticket");
    expect(rows(await call("GET", `${api}/tickets/${id}/comments`), "comments")[0]?.["html_body"]).toBe(
      '<div class="zd-comment" dir="auto"><p>Hi</p></div>',
    );
  },
  "jobs-are-listed": async (call, zendesk) => {
    zendesk.jobsTake(60_000);
    zendesk.fault("POST /api/v2/imports/tickets/create_many", "lose answer");
    await expect(importMany(call, zendesk, ["lost"])).rejects.toThrow();
    const statuses = async () =>
      rows(await call("GET", `${api}/job_statuses`), "job_statuses").map(({ status }) => status);
    expect(await statuses()).toEqual(["queued"]);
    zendesk.clock.advance(31_000);
    expect(await statuses()).toEqual(["working"]);
  },
  "export-has-deleted": async (call, { ids }) =>
    expect((await exported(call)).find(({ subject }) => subject === "Deleted by an agent")).toMatchObject({
      status: "deleted",
      id: [...ids].find(([key]) => key === "t16")?.[1],
    }),
  "export-has-archived": async (call) => {
    const isArchived = ({ subject }: Wire) => subject === "Closed long ago";
    expect((await exported(call)).some(isArchived)).toBe(true);
    expect(rows(await call("GET", `${api}/tickets`), "tickets").some(isArchived)).toBe(false);
  },
  "generated-timestamp": async (call, { tables, ids, clock }) => {
    const id = ids.get("t1") ?? 0;
    const before = (await exported(call)).find((ticket) => ticket.id === id);
    tables.tickets.touch(id);
    clock.advance(120_000);
    const after = (await exported(call)).at(-1);
    expect(after).toMatchObject({ id, updated_at: before?.["updated_at"] });
    expect(Number(after?.["generated_timestamp"])).toBeGreaterThan(Number(before?.["generated_timestamp"]));
  },
  "export-lags": async (call, zendesk) => {
    await importOne(call, zendesk, { external_id: "late" });
    const isNew = ({ external_id: key }: Wire) => key === "late";
    expect((await exported(call)).some(isNew)).toBe(false);
    zendesk.clock.advance(61_000);
    expect((await exported(call)).some(isNew)).toBe(true);
  },
  "time-pages-repeat": async (call) => {
    const first = await call("GET", `${api}/incremental/ticket_events?start_time=0&per_page=3`);
    const { next_page: next } = first.body as { next_page: string };
    const last = rows(first, "ticket_events").at(-1);
    expect(rows(await call("GET", next), "ticket_events")[0]).toEqual(last);
  },
  "merged-stay": async (call) =>
    expect((await exported(call)).find(({ subject }) => subject === "Merged away")).toMatchObject({
      status: "closed",
      tags: ["closed_by_merge"],
    }),
  "suspended-apart": async (call) => {
    const held = ({ subject }: Wire) => subject === "Held back by the filter";
    expect(rows(await call("GET", `${api}/suspended_tickets`), "suspended_tickets").some(held)).toBe(true);
    expect((await exported(call)).some(held)).toBe(false);
  },
  "authors-gone": async (call, { ids }) => {
    const ticket = (await exported(call)).find(({ subject }) => subject === "From people who are gone");
    const authors = rows(await call("GET", `${api}/tickets/${ticket?.id}/comments`), "comments").map(
      (each) => each["author_id"],
    );
    expect(authors).toEqual([ids.get("leaver"), ids.get("gone")]);
    expect(one(await call("GET", `${api}/users/${authors[1]}`), "user")).toMatchObject({ active: false });
    expect(rows(await call("GET", `${api}/users`), "users").map(({ id }) => id)).not.toContain(authors[1]);
  },
  "inline-images-apart": async (call) => {
    const ticket = (await exported(call)).find(({ subject }) => subject === "An image inside the text");
    const files = async (query: string) =>
      rows(await call("GET", `${api}/tickets/${ticket?.id}/comments${query}`), "comments")[0]?.[
        "attachments"
      ] as Wire[];
    expect(await files("")).toEqual([]);
    const [image] = await files("?include_inline_images=true");
    expect(image).toMatchObject({ inline: true, file_name: "screen shot.png" });
    expect((await fetch(String(image?.["content_url"]))).status).toBe(200);
  },
  "options-are-tags": async (call) =>
    expect((await exported(call)).find(({ subject }) => subject === "All custom fields")?.["tags"]).toEqual([
      "product_rocket_m",
      "channel_shop",
      "channel_fair",
      "region_graz",
    ]),
  "names-are-unique": async (call) => {
    const organization = { name: "acme anvils", external_id: "o" };
    for (const path of ["organizations", "organizations/create_or_update"])
      expect(await call("POST", `${api}/${path}`, { organization })).toMatchObject({
        status: 422,
        body: { details: { name: [{ error: "DuplicateValue" }] } },
      });
  },
  "job-may-outlive-its-answer": async (call, zendesk) => {
    zendesk.fault("POST /api/v2/imports/tickets/create_many", "lose answer");
    await expect(importMany(call, zendesk, ["lost"])).rejects.toThrow();
    zendesk.clock.advance(1_000);
    expect(rows(await call("GET", `${api}/tickets?external_id=lost`), "tickets")).toHaveLength(1);
  },
};

describe(lawTests.outcome, () => {
  test.each(Object.keys(shows) as (keyof typeof shows)[])("%s", async (law) => {
    const { zendesk, call } = await open();
    await shows[law](call, zendesk);
    expect(zendesk.lies).toEqual([]);
    expect(zendesk.breaches.all).toEqual([]);
  });
});

test("a caller that keeps all laws moves tickets with comments, dates, authors and files, silently", async () => {
  const { zendesk, call } = await open({ sizes: null, jobMs: 60_000 });
  const before = zendesk.digest();
  const user = one(
    await call("POST", `${api}/users/create_or_update`, {
      user: { name: "Sam", email: "sam@anvils.example", external_id: "u1", skip_verify_email: true },
    }),
    "user",
  );
  const again = await call("POST", `${api}/users/create_or_update`, {
    user: { name: "Sam B", external_id: "U1" },
  });
  expect([again.status, one(again, "user").id]).toEqual([200, user.id]);
  const upload = one(
    await call("POST", `${api}/uploads?filename=r%C3%A9sum%C3%A9.pdf`, Buffer.from("pdf"), {
      "content-type": "application/pdf",
    }),
    "upload",
  );
  const made = one(
    await call("POST", `${api}/imports/tickets/create_many`, {
      tickets: [
        {
          subject: "Moved",
          external_id: "t1",
          requester_id: user.id,
          status: "closed",
          created_at: "2019-02-03T04:05:06Z",
          comments: [
            {
              author_id: user.id,
              html_body: "<b>First</b>",
              created_at: "2019-02-03T04:05:06Z",
              uploads: [upload["token"]],
            },
            {
              author_id: zendesk.ids.get("admin"),
              html_body: "Note",
              public: false,
              created_at: "2019-02-04T00:00:00Z",
            },
          ],
        },
        { subject: "Without a requester", requester_id: 1 },
      ],
    }),
    "job_status",
  );
  expect(made).toMatchObject({ status: "queued", results: null });
  zendesk.clock.advance(31_000);
  expect(one(await call("GET", `${api}/job_statuses/${made.id}`), "job_status")["status"]).toBe("working");
  zendesk.clock.advance(31_000);
  const done = one(await call("GET", `${api}/job_statuses/${made.id}`), "job_status");
  expect(done).toMatchObject({
    status: "completed",
    results: [{ index: 0 }, { index: 1, error: "RecordInvalid" }],
  });
  const [ticket] = rows(await call("GET", `${api}/tickets?external_id=t1`), "tickets");
  expect(ticket).toMatchObject({ subject: "Moved", created_at: "2019-02-03T04:05:06Z" });
  const [first, note] = rows(
    await call("GET", `${api}/tickets/${ticket?.id}/comments?page[size]=100`),
    "comments",
  );
  expect(first).toMatchObject({
    author_id: user.id,
    created_at: "2019-02-03T04:05:06Z",
    html_body: expect.stringContaining("<b>First</b>"),
  });
  expect(note).toMatchObject({ public: false, created_at: "2019-02-04T00:00:00Z" });
  const [file] = filesOf(first);
  expect(file?.file_name).toBe("résumé.pdf");
  expect(await (await fetch(file?.content_url ?? "")).text()).toBe("pdf");
  expect(zendesk.counted).toEqual({ triggers: 0, mails: 0 });

  // Undo leaves what was there.
  await call("DELETE", `${api}/tickets/destroy_many?ids=${ticket?.id}`);
  zendesk.clock.advance(60_000);
  await call("DELETE", `${api}/users/${user.id}`);
  expect(zendesk.digest()).toBe(before);
  expect(rows(await call("GET", `${api}/deleted_tickets`), "deleted_tickets").map(({ id }) => id)).toEqual([
    ticket?.id,
  ]);
  expect(zendesk.breaches.all).toEqual([]);
  expect(zendesk.lies).toEqual([]);
  expect([...zendesk.unvalidated.keys()]).toEqual([]);
});

test("every GET answers as described, in pages, and names what has no description", async () => {
  const { zendesk, call } = await open();
  const ids: Record<string, unknown> = {
    ticket_id: zendesk.ids.get("t1"),
    user_id: zendesk.ids.get("same1"),
    organization_id: zendesk.ids.get("o1"),
    group_id: zendesk.ids.get("g1"),
    attachment_id: zendesk.tables.attachments.live()[0]?.id,
    article_id: zendesk.ids.get("a1"),
    job_status_id: one(await importMany(call, zendesk, ["job"]), "job_status").id,
  };
  const reads = [...zendeskPlan.operations, ...undescribed].filter(
    (operation) => operation.startsWith("GET") && !operation.includes("oauth"),
  );
  const queries = [
    ["incremental", "?start_time=0"],
    ["organizations/search", "?name=x"],
    ["search", "?query=x"],
    ["show_many", "?ids=1"],
  ] as const;
  for (const operation of reads) {
    const path = operation.slice(4).replaceAll(/\{([^}]+)\}/g, (_, name: string) => String(ids[name]));
    const [, query = ""] = queries.find(([part]) => path.includes(part)) ?? [];
    expect([operation, (await call("GET", `${path}${query}`)).status]).toEqual([operation, 200]);
  }
  expect(zendesk.lies).toEqual([]);
  expect(
    [...zendesk.unvalidated.keys()].every((key) =>
      undescribed.some((operation) => key.startsWith(operation)),
    ),
  ).toBe(true);
});

test("faults: refused, lost, reset, late, and rows that move while they are listed", async () => {
  const { zendesk, call } = await open();
  const users = "GET /api/v2/users";
  zendesk.fault(users, { status: 503 });
  expect(await call("GET", `${api}/users`)).toMatchObject({
    status: 503,
    body: expect.stringContaining("<html>"),
  });
  zendesk.fault(users, "reset");
  await expect(call("GET", `${api}/users`)).rejects.toThrow();
  zendesk.fault("POST /api/v2/imports/tickets", "lose answer");
  await expect(importOne(call, zendesk, { external_id: "k" })).rejects.toThrow();
  expect(rows(await call("GET", `${api}/tickets?external_id=k`), "tickets")).toHaveLength(1);
  zendesk.fault(users, { delayMs: 1 });
  zendesk.fault(users, { meanwhile: () => zendesk.tables.users.remove(zendesk.ids.get("admin") ?? 0) });
  const first = rows(await call("GET", `${api}/users?per_page=2`), "users");
  const second = rows(await call("GET", `${api}/users?per_page=2&page=2`), "users");
  const all = zendesk.tables.users.live().map(({ id }) => id);
  expect([...first, ...second].map(({ id }) => id)).not.toEqual(expect.arrayContaining(all.slice(0, 3)));
  zendesk.forbid("GET /api/v2/ticket_forms");
  for (let each = 0; each < 3; each += 1) expect((await call("GET", `${api}/ticket_forms`)).status).toBe(403);
  expect(() => zendesk.fault("GET /api/v2/nothing", "reset")).toThrow("no operation");
  expect(zendesk.calls.at(-1)).toMatchObject({ operation: "GET /api/v2/ticket_forms", status: 403 });
});

test("limits: headers on each answer, 429 with Retry-After, per class", async () => {
  const { zendesk, call } = await open({ quotas: { account: 700, export: 2, update: 100 } });
  const read = () => call("GET", `${api}/incremental/organizations?start_time=0`);
  expect((await read()).headers.get("x-rate-limit-remaining")).toBe("699");
  let last = await read();
  while (last.status === 200) last = await read();
  expect(last).toMatchObject({ status: 429, body: { error: "APIRateLimitExceeded" } });
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await call("GET", `${api}/users/me`)).status).toBe(200);
  zendesk.clock.advance(60_000);
  expect((await read()).status).toBe(200);
  expect(zendesk.breaches.all).toEqual([]);
});

test("sign-in: wrong credentials, tokens that end, a refresh", async () => {
  const { zendesk } = await open();
  const me = async (authorization: string) =>
    (await vendorClient({ url: zendesk.url, authorization })("GET", `${api}/users/me`)).status;
  expect(await me("Basic x")).toBe(401);
  const { body } = await token(zendesk, { ...(await consent(zendesk)), expires_in: "1800" });
  expect(await me(`Bearer ${body["access_token"]}`)).toBe(200);
  zendesk.clock.advance(1_800_000);
  expect(await me(`Bearer ${body["access_token"]}`)).toBe(401);
  const fresh = await token(zendesk, {
    grant_type: "refresh_token",
    refresh_token: body["refresh_token"] ?? "",
    expires_in: "1800",
  });
  expect(await me(`Bearer ${fresh.body["access_token"]}`)).toBe(200);
});

test("the search index lags, the look-up does not", async () => {
  const { zendesk, call } = await open();
  await importOne(call, zendesk, { external_id: "zx81" });
  const search = async () =>
    rows(await call("GET", `${api}/search?query=external_id:zx81`), "results").length;
  expect([
    rows(await call("GET", `${api}/tickets?external_id=zx81`), "tickets").length,
    await search(),
  ]).toEqual([1, 0]);
  zendesk.clock.advance(6 * 60_000);
  expect(await search()).toBe(1);
});
