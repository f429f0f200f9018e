import type { At, Connector, FamilyRecord, Http, HttpRequest, Io } from "@portage/connector-kit";
import { createPlainTransport, createTestIo, keepInMemory } from "@portage/connector-kit/testing";
import { afterAll, describe, expect, test } from "vitest";
import { testSuite } from "../../test/suites/test-suite.ts";
import { suite } from "../../test/suites/tools/freshdesk.ts";
import { originsOf } from "../../test/vendors/freshdesk/origins.ts";
import { openFreshdesk } from "../../test/vendors/freshdesk/open.ts";
import type { Freshdesk, FreshdeskOptions } from "../../test/vendors/freshdesk/stand-in.ts";
import { isoSeconds } from "../../test/vendors/kit/clock.ts";
import type { FreshdeskLaw } from "../../test/vendors/freshdesk/laws.ts";
import { lawTests } from "../../test/vendors/kit/law-tests.ts";
import {
  differingStreams,
  digestOfFile,
  type Read,
  readSource,
  sourceStream,
} from "../../test/vendors/kit/read-source.ts";
import { createFreshdesk } from "./index.ts";
import type { Settings } from "./settings.ts";

const transport = createPlainTransport();
const started: Freshdesk[] = [];
afterAll(async () => {
  await Promise.all(started.map((tool) => tool.close()));
  await transport.close();
});

const open = async (options: FreshdeskOptions = {}) => {
  const opened = await openFreshdesk(options);
  started.push(opened.tool);
  return { ...opened, io: () => createTestIo({ ...opened.connector, settings: opened.settings, transport }) };
};

testSuite(suite);

type Change = (io: Io<Settings>) => Io<Settings>;

const readAll = async (
  connector: Connector<Settings>,
  settings: Settings,
  { change = (io) => io, ...at }: Partial<At> & { readonly change?: Change } = {},
) => {
  const newIo = () => change(createTestIo({ manifest: connector.manifest, settings, transport }));
  return { ...(await readSource(connector, newIo, { size: 7, ...at })), newIo };
};

/** What Freshdesk's own tables say that the source has to read. */
const expected = ({ tables }: Freshdesk) => {
  const text = (id: number | null) => (id === null ? null : String(id));
  const who = (id: number | null) => {
    const row = id === null ? undefined : tables.people.get(id);
    if (!row) return null;
    const { kind, name, email } = row.data;
    if (row.deletedAt === null)
      return { stream: kind === "agent" ? "users" : "contacts", id: String(row.id), name: null, email: null };
    // Of a deleted agent nothing is left to read.
    return kind === "agent" ? null : { stream: null, id: null, name, email };
  };
  // Archived tickets are in no list.
  const tickets = tables.tickets.live().filter(({ archived, data }) => !archived && !data.spam);
  return {
    users: tables.people
      .live()
      .filter(({ data }) => data.kind === "agent")
      .map(({ id, data }) => ({ id: String(id), name: data.name, email: data.email })),
    contacts: tables.people
      .live()
      .filter(({ data }) => data.kind === "contact")
      .map(({ id, data }) => ({
        id: String(id),
        name: data.name,
        emails: data.email === null ? [] : [data.email],
        organizationId: text(data.company_id),
        externalId: data.unique_external_id,
      })),
    organizations: tables.companies
      .live()
      .map(({ id, data }) => ({ id: String(id), name: data.name, domains: data.domains })),
    groups: tables.groups.live().map(({ id, data }) => ({ id: String(id), name: data.name })),
    tickets: tickets.map(({ id, data, createdAt, updatedAt }) => ({
      id: String(id),
      createdAt: new Date(isoSeconds(createdAt)).toISOString(),
      updatedAt: new Date(isoSeconds(updatedAt)).toISOString(),
      subject: data.subject,
      requester: who(data.requester_id),
      groupId: text(data.group_id),
      tags: data.tags,
      cc: data.cc_emails,
    })),
    comments: tickets.flatMap((ticket) =>
      ticket.data.conversations.map((each) => ({
        id: `${ticket.id}-${each.id}`,
        ticketId: String(ticket.id),
        createdAt: new Date(isoSeconds(each.createdAt)).toISOString(),
        visibility: each.private ? "internal" : "public",
        author: who(each.user_id),
        kind: each.source === 0 ? "reply" : "note",
        incoming: each.incoming,
      })),
    ),
    articles: tables.articles.live().map(({ id, data }) => ({
      id: String(id),
      title: data.title,
      state: data.status === 2 ? "published" : "draft",
    })),
  };
};

/** The streams in which what was read differs from the tables. */
const differing = (tool: Freshdesk, read: Read) => differingStreams(expected(tool), read);

test("all that Freshdesk lists is read as its tables have it, texts and bytes included", async () => {
  const { tool, connector, settings } = await open();
  const { read, newIo } = await readAll(connector, settings);
  expect(differing(tool, read)).toEqual([]);
  const digests: string[] = [];
  for (const record of read.get("attachments") ?? [])
    digests.push(await digestOfFile(connector, newIo(), record));
  const live = tool.tables.tickets.live().filter(({ archived, data }) => !archived && !data.spam);
  const listed = live.flatMap(({ data }) => [
    ...data.attachments,
    ...data.conversations.flatMap((each) => each.attachments),
  ]);
  const sha256 = new Map(tool.dump().attachments.map((each) => [each.id, each.sha256]));
  expect(digests.length).toBeGreaterThan(listed.length);
  expect(listed.filter((id) => !digests.includes(sha256.get(id) ?? ""))).toEqual([]);
  // A chat repeats its description as the first comment.
  const chats = new Set(live.filter(({ data }) => data.source === 15).map(({ id }) => String(id)));
  const described = (read.get("tickets") ?? []) as readonly (FamilyRecord & { description: unknown })[];
  expect(described.filter(({ id, description }) => chats.has(id) && description !== null)).toEqual([]);
  expect(
    described.filter(({ id, description }) => !chats.has(id) && description !== null).length,
  ).toBeGreaterThan(0);
  // Signed links differ in each answer; the records must not.
  const again = (await readAll(connector, settings)).read;
  expect([again.get("tickets"), again.get("comments")]).toEqual([read.get("tickets"), read.get("comments")]);
  expect(tool.breaches.all).toEqual([]);
  expect(tool.lies).toEqual([]);
});

test("custom fields of contacts and companies are read with their values, and offered to the mapping", async () => {
  const { tool, connector, settings, io } = await open();
  const { people, companies, contactFields, companyFields } = tool.tables;
  const add = (table: typeof contactFields, name: string, type: string, choices: unknown = null) =>
    table.insert({ data: { name, label: name.toUpperCase(), type, choices } });
  add(contactFields, "since", "custom_date");
  add(contactFields, "vip", "custom_checkbox");
  add(contactFields, "page", "custom_url");
  add(contactFields, "pager", "custom_phone_number");
  contactFields.insert({ data: { name: "email", label: "Email", type: "default_email", choices: null } });
  add(companyFields, "tier", "custom_dropdown", ["Gold", "Iron"]);
  const person = people.live().find(({ data }) => data.kind === "contact");
  const [company] = companies.live();
  if (!person || !company) throw new Error("no people");
  const values = { since: "2020-02-02", vip: true, page: "https://a.example", pager: "+1 555 0199" };
  people.update(person.id, { custom_fields: { ...values, odd: "x" } });
  companies.update(company.id, { custom_fields: { tier: "Gold" } });
  const { read } = await readAll(connector, settings);
  const heldBy = (stream: string, id: number) =>
    read.get(stream)?.find((record) => record.id === String(id))?.customFields;
  expect(heldBy("contacts", person.id)).toEqual(values);
  expect(heldBy("organizations", company.id)).toEqual({ tier: "Gold" });
  const offered = async (name: string) =>
    ((await sourceStream(connector, name).customFields?.(io())) ?? []).map(({ key, type }) => [key, type]);
  expect(await offered("contacts")).toEqual([
    ["since", "date"],
    ["vip", "boolean"],
    ["page", "link"],
    ["pager", "text"],
  ]);
  expect(await offered("organizations")).toEqual([["tier", "choice"]]);
  expect(tool.lies).toEqual([]);
});

test.each([
  [1, "everyone", "published"],
  [2, "people who signed in", "draft"],
  [3, "agents", "draft"],
  [4, "some companies", "draft"],
])("an article in a folder with visibility %i, for %s, arrives as %s", async (visibility, _, state) => {
  const { tool, connector, io } = await open();
  tool.tables.folders.update(tool.ids.get("folder") ?? 0, { visibility });
  const article = tool.tables.articles.live().find(({ data }) => data.status === 2);
  const stream = sourceStream(connector, "articles");
  const at = { cursor: null, since: null, parentId: null };
  const listed = (await stream.readPage(io(), at)).records.find(({ id }) => id === String(article?.id));
  const [byId] = await stream.readByIds(io(), [String(article?.id)]);
  expect([listed, byId]).toMatchObject([{ state }, { state }]);
});

test("one call for what was said on a ticket tells of its files, too", async () => {
  const { tool, connector, settings } = await open();
  const { read: apart } = await readAll(connector, settings);
  const before = tool.calls.length;
  const kept = keepInMemory();
  const { read } = await readAll(connector, settings, { change: (io) => ({ ...io, kept }), pass: "copy" });
  expect(read).toEqual(apart);
  const asks = (calls: typeof tool.calls) =>
    calls.filter(({ operation }) => operation === "GET /tickets/{ticket_id}/conversations").length;
  const [alone, shared] = [asks(tool.calls.slice(0, before)), asks(tool.calls.slice(before))];
  expect(shared).toBeGreaterThan(0);
  expect(alone).toBe(2 * shared);
  expect(tool.breaches.all).toEqual([]);
});

test("a delta reads what changed since, and what was said moves its ticket", async () => {
  const { tool, connector, settings } = await open();
  tool.clock.advance(60_000);
  const since = new Date(tool.clock.now());
  const [first, second] = tool.tables.tickets.live().filter(({ archived, data }) => !archived && !data.spam);
  if (!first || !second) throw new Error("no tickets");
  tool.tables.tickets.update(first.id, {});
  const note = { body: "Said later.", incoming: false, private: true, source: 2, attachments: [] };
  const said = tool.tables.newConversation({
    ...note,
    user_id: tool.ids.get("admin") ?? 0,
    createdAt: tool.clock.now(),
  });
  tool.tables.tickets.update(second.id, { conversations: [...second.data.conversations, said] });
  const { read } = await readAll(connector, settings, { since });
  expect(
    read
      .get("tickets")
      ?.map(({ id }) => id)
      .toSorted(),
  ).toEqual([first.id, second.id].map(String).toSorted());
  expect(read.get("comments")?.map(({ id }) => id)).toContain(`${second.id}-${said.id}`);
});

/** Asks otherwise than the connector does. */
const asking =
  (change: (query: Readonly<Record<string, unknown>>) => object): Change =>
  (io) => ({
    ...io,
    http: {
      ...io.http,
      send: (request) =>
        io.http.send({ ...request, query: change(request.query ?? {}) as NonNullable<typeof request.query> }),
    },
  });

/** Gets other answers than Freshdesk gives. */
const receiving =
  (change: (text: string, request: HttpRequest) => string): Change =>
  (io) => ({
    ...io,
    http: {
      ...io.http,
      send: async (request) => {
        const answer = await io.http.send(request);
        const text = answer.text === "" ? "" : change(answer.text, request);
        return {
          ...answer,
          text,
          json: <T>(schema?: { parse(value: unknown): T }) =>
            schema ? schema.parse(JSON.parse(text)) : (JSON.parse(text) as T),
        };
      },
    },
  });

/** Takes the conversations that come with a ticket for all of them. */
const withTheTicket: Change = (io) => ({
  ...io,
  http: {
    ...io.http,
    send: (request) => {
      const id = /^tickets\/(\d+)\/conversations$/.exec(request.url)?.[1];
      if (id === undefined) return io.http.send(request);
      const take = receiving((body) =>
        JSON.stringify((JSON.parse(body) as { conversations: unknown }).conversations),
      );
      return take(io).http.send({ ...request, url: `tickets/${id}`, query: { include: "conversations" } });
    },
  },
});

interface Mutant {
  readonly law: FreshdeskLaw;
  /** The stream in which it shows; left out: the stand-in records the breach. */
  readonly differs?: string;
  readonly change: Change;
}

const mutants: Readonly<Record<string, Mutant>> = {
  "asks for no moment": { law: "updated-since", change: asking(({ updated_since: _, ...query }) => query) },
  "asks for larger pages than there are": {
    law: "page-size",
    change: asking((query) => ({ ...query, per_page: 250 })),
  },
  "asks for page 301": {
    law: "page-300",
    change: asking((query) => (query["page"] === undefined ? query : { ...query, page: 301 })),
  },
  "makes up a parameter": { law: "as-described", change: asking((query) => ({ ...query, colour: "red" })) },
  "reads deleted tickets": {
    law: "deleted-and-spam-apart",
    differs: "tickets",
    change: asking((query) => (query["updated_since"] ? { ...query, filter: "deleted" } : query)),
  },
  "reads the conversations with the ticket": {
    law: "ten-conversations",
    differs: "comments",
    change: withTheTicket,
  },
  "takes deleted contacts for live ones": {
    law: "people-gone",
    differs: "tickets",
    change: receiving((body, { query }) => (query?.["state"] === "deleted" ? "[]" : body)),
  },
};

const described = (read: Read) =>
  ((read.get("tickets") ?? []) as readonly (FamilyRecord & { description: unknown })[]).filter(
    ({ description }) => description !== null,
  );

describe(lawTests.connector, () => {
  test.each(Object.entries(mutants).map(([name, mutant]) => ({ name, ...mutant })))(
    "$law: it $name",
    async ({ law, differs, change }) => {
      const { tool, connector, settings } = await open();
      const all = await readAll(connector, settings, { change }).catch(() => null);
      if (differs === undefined) expect(tool.breaches.of(law)).not.toEqual([]);
      else expect(differing(tool, all?.read ?? new Map()).map(({ stream }) => stream)).toContain(differs);
      // Nothing was read: that differs in every stream.
      if (differs !== undefined) expect(all).not.toBeNull();
    },
  );

  test("description-on-request: it asks for no descriptions", async () => {
    const { connector, settings } = await open();
    const { read } = await readAll(connector, settings, {
      change: asking(({ include: _, ...query }) => query),
    });
    expect([read.get("tickets")?.length === 0, described(read)]).toEqual([false, []]);
  });

  test("chat-repeats-description: it knows no chats", async () => {
    const { tool, connector, settings } = await open();
    const change = receiving((body) => body.replaceAll('"source":15', '"source":2'));
    const { read } = await readAll(connector, settings, { change });
    expect(described(read).map(({ id }) => id)).toContain(String(tool.ids.get("t1")));
  });

  test("links-die: it keeps links for later", async () => {
    const { tool, connector, settings } = await open();
    const kept = new Map<string, ReturnType<Http["send"]>>();
    const change: Change = (io) => ({
      ...io,
      http: {
        ...io.http,
        send: (request) => {
          const key = JSON.stringify([request.url, request.query]);
          const answer = kept.get(key) ?? io.http.send(request);
          kept.set(key, answer);
          return answer;
        },
      },
    });
    const { read, newIo } = await readAll(connector, settings, { change });
    const [record] = read.get("attachments") ?? [];
    const files = sourceStream(connector, "attachments");
    if (!record) throw new Error("no file");
    const load = async () => (await files.openFile?.(newIo(), record))?.open();
    for await (const _ of (await load()) ?? []);
    tool.clock.advance(6 * 60_000);
    await expect(load()).rejects.toThrow();
  });

  test("no-credentials-to-file-host: it sends the key to hosts of files", async () => {
    const { tool, connector, settings } = await open();
    const leaky = createFreshdesk({ ...originsOf(tool), files: [] });
    const manifest = {
      ...leaky.manifest,
      hosts: (given: Settings) => ({
        api: [...leaky.manifest.hosts(given).api, tool.filesUrl] as [string, ...string[]],
      }),
    };
    const { read } = await readAll(connector, settings);
    const [record] = read.get("attachments") ?? [];
    const files = sourceStream(connector, "attachments");
    if (!record) throw new Error("no file");
    const io = createTestIo({ manifest, settings, transport });
    await Promise.resolve(files.openFile?.(io, record))
      .then((body) => body?.open())
      .catch(() => null);
    expect(tool.breaches.of("no-credentials-to-file-host").length).toBeGreaterThan(0);
  });
});
