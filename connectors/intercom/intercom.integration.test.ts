import type { At, Connector, HttpRequest, Io } from "@portage/connector-kit";
import { createPlainTransport, createTestIo, keepInMemory } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { testSuite } from "../../test/suites/test-suite.ts";
import { suite } from "../../test/suites/tools/intercom.ts";
import {
  differingStreams,
  digestOfFile,
  type Read,
  readSource,
  readStream,
  sourceStream,
} from "../../test/vendors/kit/read-source.ts";
import { smallSizes } from "../../test/vendors/kit/seed-nasty.ts";
import { originsOf, settingsOf } from "../../test/vendors/intercom/origins.ts";
import { type Intercom, type IntercomOptions, startIntercom } from "../../test/vendors/intercom/stand-in.ts";
import { type Author, type Conversation, hexId, type Part } from "../../test/vendors/intercom/tables.ts";
import type { Row } from "../../test/vendors/kit/table.ts";
import { createIntercom } from "./index.ts";
import type { Settings } from "./settings.ts";

const transport = createPlainTransport();
const started: Intercom[] = [];
afterAll(async () => {
  await Promise.all(started.map((tool) => tool.close()));
  await transport.close();
});

const open = async (options: IntercomOptions = {}) => {
  const tool = await startIntercom({ quotas: "off", ...options });
  started.push(tool);
  return { tool, connector: createIntercom(originsOf(tool)), settings: settingsOf(tool) };
};

/** What a test expects none of: broken laws, answers that the stand-in got wrong, calls that no schema holds. */
const faultsOf = ({ breaches, lies, unvalidated }: Intercom) => [...breaches.all, ...lies, ...unvalidated];

testSuite(suite);

type Change = (io: Io<Settings>) => Io<Settings>;

const readAll = async (
  connector: Connector<Settings>,
  settings: Settings,
  { change = (io) => io, ...at }: Partial<At> & { readonly change?: Change } = {},
) => {
  const newIo = () => change(createTestIo({ manifest: connector.manifest, settings, transport }));
  return { ...(await readSource(connector, newIo, at)), newIo };
};

const iso = (ms: number) => new Date(Math.floor(ms / 1000) * 1000).toISOString();

/** Conversations and tickets of the tables, with the ids that the records have. */
const threadsOf = ({ tables }: Intercom) => [
  ...tables.conversations.live().map((row) => ({ row, id: String(row.id) })),
  ...tables.tickets.live().map((row) => ({ row, id: `t${row.id}` })),
];
const speaks = ({ body, files }: Part) => body !== null || files.length > 0;

/** What Intercom's own tables say that the source has to read. */
const expected = (tool: Intercom) => {
  const { tables } = tool;
  const who = ({ type, id }: Author) => {
    const row = type === "admin" ? tables.admins.get(id) : tables.contacts.get(id);
    if (!row || row.deletedAt !== null) return null;
    const stream = type === "admin" ? "users" : "contacts";
    return {
      stream,
      id: type === "admin" ? String(id) : hexId(id),
      name: row.data.name,
      email: row.data.email,
    };
  };
  const requester = ({ data }: Row<Conversation>, isTicket: boolean) => {
    const row = tables.contacts.get(data.contact);
    if (!row || row.deletedAt !== null) return null;
    // The first message names who wrote it; of others there is an id.
    const isNamed = !isTicket && data.source.author.id === data.contact;
    const { name, email } = isNamed ? row.data : { name: null, email: null };
    return { stream: "contacts", id: hexId(row.id), name, email };
  };
  const shown = tables.companies
    .live()
    .filter(({ id }) => tables.contacts.live().some(({ data }) => data.companies.includes(id)));
  return {
    users: tables.admins.live().map(({ id, data }) => ({ id: String(id), ...data })),
    organizations: shown.map(({ id, data, updatedAt }) => ({
      id: hexId(id),
      name: data.name,
      externalId: data.company_id,
      updatedAt: iso(updatedAt),
    })),
    contacts: tables.contacts.live().map(({ id, data }) => ({
      id: hexId(id),
      name: data.name,
      emails: data.email === null ? [] : [data.email],
      phones: data.phone === null ? [] : [data.phone],
      organizationId: data.companies[0] === undefined ? null : hexId(data.companies[0]),
      externalId: data.external_id,
    })),
    groups: tables.teams.live().map(({ id, data }) => ({ id: String(id), name: data.name })),
    tickets: threadsOf(tool).map(({ row, id }) => ({
      id,
      subject: row.data.subject,
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
      requester: requester(row, id.startsWith("t")),
      assignee: row.data.admin_assignee_id === null ? null : String(row.data.admin_assignee_id),
      groupId: row.data.team_assignee_id === null ? null : String(row.data.team_assignee_id),
      statusKind: row.data.state === "closed" ? (id.startsWith("t") ? "solved" : "closed") : row.data.state,
      priorityKind: id.startsWith("t") || row.data.priority === "none" ? null : row.data.priority,
      customFields: row.data.custom_attributes,
      description: row.data.source.body,
      number: id.startsWith("t") ? String(row.id - 499_999) : null,
    })),
    comments: threadsOf(tool).flatMap(({ row, id }) =>
      row.data.parts.filter(speaks).map((part) => ({
        id: `${id}-${part.id}`,
        ticketId: id,
        createdAt: iso(part.createdAt),
        visibility: part.part_type === "note" ? "internal" : "public",
        author: who(part.author),
        kind: part.part_type === "comment" ? "reply" : part.part_type === "note" ? "note" : null,
        incoming: part.author.type === "admin" ? false : part.author.type === "bot" ? null : true,
        body: part.body,
      })),
    ),
    articles: tables.articles.live().map(({ id, data }) => ({
      id: String(id),
      title: data.title,
      state: data.state,
      body: data.body,
      author: tables.admins.get(data.author_id)?.deletedAt === null ? String(data.author_id) : null,
    })),
  };
};

const withoutImages = (text: string) =>
  text.replaceAll(/\{\{file:\w+\}\}|intercom-image:[\w-]+/g, "the image");

/** As `expected` has it: texts as text, agents by their id. */
const shownAs = (stream: string, field: string, value: unknown): unknown => {
  if (field === "assignee" || (field === "author" && stream === "articles"))
    return value && (value as { id: string }).id;
  if (value && typeof value === "object" && "text" in value) return withoutImages(String(value.text));
  return value;
};

/** The streams in which what was read differs from the tables. */
const differing = (tool: Intercom, read: Read) => {
  const named = Object.entries(expected(tool)).map(([stream, rows]) => [
    stream,
    rows.map((row) => ({
      ...Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === "string" ? withoutImages(value) : value,
        ]),
      ),
      id: row.id,
    })),
  ]);
  return differingStreams(Object.fromEntries(named), read, shownAs);
};

test("all that Intercom shows is read as its tables have it, texts and bytes included", async () => {
  const { tool, connector, settings } = await open();
  const { read, unreadable, newIo } = await readAll(connector, settings);
  expect(differing(tool, read)).toEqual([]);
  expect(unreadable).toEqual([]);
  const digests: string[] = [];
  for (const record of read.get("attachments") ?? [])
    digests.push(await digestOfFile(connector, newIo(), record));
  // The image inside a text is in no list of files.
  const listed = tool.dump().files.map(({ sha256 }) => sha256 ?? "");
  expect(digests).toHaveLength(listed.length + 1);
  expect(listed.filter((sha256) => !digests.includes(sha256))).toEqual([]);
  // Signed links differ in each answer; the records must not.
  tool.clock.advance(31 * 60_000);
  const again = (await readAll(connector, settings)).read;
  expect([again.get("tickets"), again.get("comments"), again.get("attachments")]).toEqual([
    read.get("tickets"),
    read.get("comments"),
    read.get("attachments"),
  ]);
  expect(faultsOf(tool)).toEqual([]);
});

test("one call for a thread brings its comments and its files, and only the nameless are looked up", async () => {
  const { tool, connector, settings } = await open();
  const { read: apart } = await readAll(connector, settings);
  const before = tool.calls.length;
  const kept = keepInMemory();
  const { read } = await readAll(connector, settings, { change: (io) => ({ ...io, kept }), pass: "copy" });
  expect(read).toEqual(apart);
  const count = (operation: string, calls = tool.calls.slice(before)) =>
    calls.filter((call) => call.operation.startsWith(operation)).length;
  const threads = threadsOf(tool).length;
  expect(count("GET /conversations/{") + count("GET /tickets/{")).toBe(threads);
  // Without it each of the two streams asks.
  expect(before - (tool.calls.length - before)).toBe(threads);
  expect(count("GET /contacts/{")).toBe(0);
  // The list itself with its second pass, and the tickets' and comments' only gone person.
  expect(count("POST /contacts/search")).toBeLessThanOrEqual(6);
  expect(faultsOf(tool)).toEqual([]);
});

test("the source reports older parts than Intercom shows, thread by thread", async () => {
  const { tool, connector, settings } = await open({ sizes: { ...smallSizes, longThread: 520 } });
  const { read, unreadable, newIo } = await readAll(connector, settings);
  const long = threadsOf(tool).find(({ row }) => row.data.subject === "A long thread");
  expect(unreadable).toMatchObject([{ id: `${long?.id}-older`, code: "older_not_shown" }]);
  const said = (read.get("comments") ?? []).filter(
    (record) => (record as unknown as { ticketId: string }).ticketId === long?.id,
  );
  expect(said.length).toBeGreaterThanOrEqual(499);
  // A retry tells the same, and loses no other record.
  const comments = sourceStream(connector, "comments");
  await expect(comments.readByIds(newIo(), [`${long?.id}-older`])).rejects.toMatchObject({
    recovery: "skip-record",
    code: "older_not_shown",
  });
});

test("a delta reads what changed since, and what was said moves its thread", async () => {
  const { tool, connector, settings } = await open();
  const { tables, clock } = tool;
  clock.advance(60_000);
  const since = new Date(clock.now());
  const [first, second] = tables.conversations.live();
  const [ticket] = tables.tickets.live();
  const [article] = tables.articles.live();
  if (!first || !second || !ticket || !article) throw new Error("no threads");
  tables.conversations.update(first.id, {});
  tables.tickets.update(ticket.id, {});
  tables.articles.update(article.id, {});
  const said = tables.newPart({
    part_type: "note",
    body: "<p>Said later.</p>",
    author: second.data.source.author,
    createdAt: clock.now(),
    files: [],
  });
  tables.conversations.update(second.id, { parts: [...second.data.parts, said] });
  const { read } = await readAll(connector, settings, { since });
  const ids = (stream: string) => (read.get(stream) ?? []).map(({ id }) => id).toSorted();
  expect(ids("tickets")).toEqual([String(first.id), String(second.id), `t${ticket.id}`].toSorted());
  expect(ids("articles")).toEqual([String(article.id)]);
  expect(ids("contacts")).toEqual([]);
  expect(ids("comments")).toContain(`${second.id}-${said.id}`);
  expect(sourceStream(connector, "comments").changesWithParent).toBe(true);
});

test.each([
  ["everyone", "published"],
  ["all_users", "draft"],
  ["restricted", "draft"],
] as const)("an article for the audience %s arrives as %s", async (help_center_audience, state) => {
  const { tool, connector, settings } = await open();
  const article = tool.tables.articles.live().find(({ data }) => data.state === "published");
  tool.tables.articles.update(article?.id ?? 0, { help_center_audience });
  const io = createTestIo({ manifest: connector.manifest, settings, transport });
  const read = await sourceStream(connector, "articles").readByIds(io, [String(article?.id)]);
  expect(read).toMatchObject([{ state }]);
  expect(faultsOf(tool)).toEqual([]);
});

test("a conversation that changes while it is listed is not missed", async () => {
  const { tool, connector, settings } = await open();
  const { conversations } = tool.tables;
  const oldest = conversations.live().toSorted((a, b) => a.updatedAt - b.updatedAt)[0];
  const tickets = sourceStream(connector, "tickets");
  const io = () => createTestIo({ manifest: connector.manifest, settings, transport });
  let hasMoved = false;
  const { records: seen } = await readStream(tickets, io, { size: 10 }, () => {
    if (!hasMoved) conversations.update(oldest?.id ?? 0, { state: "snoozed" });
    hasMoved = true;
  });
  expect(seen.find(({ id }) => id === String(oldest?.id))).toMatchObject({ status: "snoozed" });
});

/** More companies than a scroll has on a page, each with a contact. */
const withCompanies = async (count: number) => {
  const one = await open();
  const { tables } = one.tool;
  const companies = Array.from(
    { length: count },
    (_, index) => tables.companies.insert({ data: { name: `Acme ${index}`, company_id: `c${index}` } }).id,
  );
  const [contact] = tables.contacts.live();
  tables.contacts.update(contact?.id ?? 0, { companies });
  return one;
};

test("companies are read in the order of their ids, whatever their page, and a lost answer loses none", async () => {
  const { tool, connector, settings } = await withCompanies(250);
  const stream = sourceStream(connector, "organizations");
  const io = () =>
    createTestIo({
      manifest: connector.manifest,
      settings,
      transport,
      retry: { attempts: 2, firstDelayMs: 5 },
    });
  const at = { since: null, parentId: null };
  const whole = await stream.readPage(io(), { ...at, cursor: null });
  const all = expected(tool).organizations.map(({ id }) => id);
  expect(whole.records.map(({ id }) => id)).toEqual(all.toSorted());
  const paged = (await readStream(stream, io, { size: 60 })).records.map(({ id }) => id);
  expect(paged).toEqual(all.toSorted());
  // The scroll has gone on, so the same call would bring another page.
  tool.fault("GET /companies/scroll", { delayMs: 0 });
  tool.fault("GET /companies/scroll", "lose answer");
  await expect(stream.readPage(io(), { ...at, cursor: null })).rejects.toMatchObject({
    recovery: "retry",
    code: "unreachable",
    retryAfterMs: 60_000,
  });
  expect(faultsOf(tool)).toEqual([]);
  // A list that begins too early has to wait; a minute later all of them come.
  await expect(stream.readPage(io(), { ...at, cursor: null })).rejects.toMatchObject({
    recovery: "retry",
    code: "busy",
    retryAfterMs: 60_000,
  });
  tool.clock.advance(61_000);
  expect((await stream.readPage(io(), { ...at, cursor: null })).records).toHaveLength(all.length);
});

test("a scroll that ended early begins again", async () => {
  const { tool, connector, settings } = await withCompanies(150);
  tool.fault("GET /companies/scroll", { delayMs: 0 });
  tool.fault("GET /companies/scroll", { meanwhile: () => tool.clock.advance(61_000) });
  const io = createTestIo({ manifest: connector.manifest, settings, transport });
  const at = { cursor: null, since: null, parentId: null };
  await expect(sourceStream(connector, "organizations").readPage(io, at)).rejects.toMatchObject({
    recovery: "retry",
    code: "unreachable",
  });
});

test("a search by POST is a read, and a full quota waits until it is reset", async () => {
  const { connector, settings } = await open({ quotas: { app: 3 } });
  const kinds: string[] = [];
  const waits: (number | null)[] = [];
  const limiter = {
    take: async ({ kind }: { readonly kind: string }) => {
      kinds.push(kind);
      return { release() {} };
    },
    learn: ({ retryAfterMs }: { readonly retryAfterMs: number | null }) => void waits.push(retryAfterMs),
  };
  const io = () =>
    createTestIo({ manifest: connector.manifest, settings, transport, limiter, retry: { attempts: 1 } });
  const at = { cursor: null, since: null, parentId: null };
  const contacts = sourceStream(connector, "contacts");
  await contacts.readPage(io(), at);
  await contacts.readPage(io(), at).catch(() => null);
  const refused = contacts.readPage(io(), at);
  await expect(refused).rejects.toMatchObject({ recovery: "retry", code: "rate_limited" });
  expect(new Set(kinds)).toEqual(new Set(["read"]));
  // No answer had a Retry-After: the wait comes from the header of the reset.
  const known = waits.filter((wait) => wait !== null);
  expect(known.length).toBeGreaterThan(0);
  expect(Math.max(...known)).toBeGreaterThan(5_000);
});

/** Asks otherwise than the connector does. */
const asking =
  (change: (request: HttpRequest) => HttpRequest): Change =>
  (io) => ({ ...io, http: { ...io.http, send: (request) => io.http.send(change(request)) } });

const searching = (change: (body: Record<string, unknown>) => object) =>
  asking((request) =>
    request.json ? { ...request, json: change(request.json as Record<string, unknown>) } : request,
  );

const filters = (value: (value: number) => number, times = 1) =>
  searching(({ query, ...body }) => {
    const all = (query as { value: { value: unknown }[] }).value;
    const changed = all.map((each) =>
      typeof each.value === "number" ? { ...each, value: value(each.value) } : each,
    );
    return {
      ...body,
      query: { operator: "AND", value: Array.from({ length: times }, () => changed).flat() },
    };
  });

test.each([
  ["names no version", asking(({ headers: _, ...request }) => request), "pin-the-version"],
  [
    "asks for larger pages than there are",
    searching(({ query }) => ({ query, pagination: { per_page: 151 } })),
    "page-size",
  ],
  ["asks by milliseconds", filters((value) => (value + 1) * 1e12), "unix-seconds"],
  ["has too many filters", filters((value) => value, 16), "few-filters"],
  ["asks for what is not described", searching((body) => ({ ...body, sort: "asc" })), "as-described"],
  [
    "leaves a scroll open and begins another",
    asking((request) => (request.query?.["scroll_param"] ? { ...request, query: {} } : request)),
    "one-scroll",
  ],
  [
    "resumes a scroll that ended",
    asking((request) =>
      request.url.startsWith("companies/scroll") ? { ...request, query: { scroll_param: "old" } } : request,
    ),
    "scroll-does-not-resume",
  ],
] as const)("a connector that %s is caught", async (_, change, law) => {
  const { tool, connector, settings } = await open();
  await readAll(connector, settings, { change }).catch(() => null);
  expect(tool.breaches.of(law).length).toBeGreaterThan(0);
});

test("a connector that turns a scroll's pages in steps of their own loses what a lost answer had", async () => {
  const { tool } = await withCompanies(250);
  const headers = { authorization: tool.authorization, "intercom-version": "2.16" };
  const page = async (param?: string) => {
    const query = param === undefined ? "" : `?scroll_param=${param}`;
    const answer = await fetch(`${tool.url}/companies/scroll${query}`, { headers });
    return (await answer.json()) as { data: { id: string }[]; scroll_param: string };
  };
  const first = await page();
  tool.fault("GET /companies/scroll", "lose answer");
  await page(first.scroll_param).catch(() => null);
  const rest = await page(first.scroll_param);
  expect(first.data.length + rest.data.length).toBeLessThan(expected(tool).organizations.length);
});

/** Changes what Intercom answers, or leaves something out. */
test.each([
  ["reads conversations alone", "tickets", "tickets/search"],
  ["reads no parts of conversations", "comments", "conversations/"],
] as const)("the comparison with the tables catches a connector that %s", async (_, stream, url) => {
  const { tool, connector, settings } = await open();
  const empty = { tickets: [], conversation_parts: null };
  const { read } = await readAll(connector, settings, {
    change: (io) => ({
      ...io,
      http: {
        ...io.http,
        async send(request) {
          const answer = await io.http.send(request);
          if (!request.url.startsWith(url) || (url === "conversations/" && request.method === "POST"))
            return answer;
          const body = { ...(JSON.parse(answer.text) as object), ...empty, pages: null };
          return { ...answer, json: (schema) => (schema ? schema.parse(body) : (body as never)) };
        },
      },
    }),
  });
  expect(differing(tool, read).map(({ stream: each }) => each)).toContain(stream);
});

test("a host of files never gets the token", async () => {
  const { tool, connector, settings } = await open();
  const { read } = await readAll(connector, settings);
  const [record] = read.get("attachments") ?? [];
  if (!record) throw new Error("no file");
  const manifest = {
    ...connector.manifest,
    hosts: (given: Settings) => ({
      api: [...connector.manifest.hosts(given).api, tool.filesUrl] as [string, ...string[]],
    }),
  };
  const io = createTestIo({ manifest, settings, transport });
  await Promise.resolve(sourceStream(connector, "attachments").openFile?.(io, record))
    .then((body) => body?.open())
    .catch(() => null);
  expect(tool.breaches.of("no-credentials-to-file-host").length).toBeGreaterThan(0);
});
