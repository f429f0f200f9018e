import type {
  At,
  Connector,
  FamilyRecord,
  Http,
  HttpRequest,
  HttpResponse,
  Io,
  KeptAnswers,
} from "@portage/connector-kit";
import { createPlainTransport, createTestIo, keepInMemory } from "@portage/connector-kit/testing";
import { afterAll, describe, expect, test } from "vitest";
import { testSuite } from "../../test/suites/test-suite.ts";
import { suite } from "../../test/suites/tools/zendesk.ts";
import { isoSeconds } from "../../test/vendors/kit/clock.ts";
import { lawTests } from "../../test/vendors/kit/law-tests.ts";
import {
  differingStreams,
  digestOfFile,
  readStream,
  sourceStream,
} from "../../test/vendors/kit/read-source.ts";
import type { ZendeskLaw } from "../../test/vendors/zendesk/laws.ts";
import { openZendesk } from "../../test/vendors/zendesk/open.ts";
import type { Zendesk, ZendeskOptions } from "../../test/vendors/zendesk/stand-in.ts";
import { createZendesk } from "./index.ts";
import type { ZendeskSettings } from "./settings.ts";

const wholeSecond = (at: number) => new Date(isoSeconds(at)).toISOString();

const transport = createPlainTransport();
const started: Zendesk[] = [];
afterAll(async () => {
  await Promise.all(started.map((tool) => tool.close()));
  await transport.close();
});

const open = async (options: ZendeskOptions = {}) => {
  const opened = await openZendesk(options);
  started.push(opened.tool);
  return opened;
};

const ioOf = (connector: Connector<ZendeskSettings>, settings: ZendeskSettings) =>
  createTestIo({ manifest: connector.manifest, settings, transport });

/** Reads a stream as the engine does, in small pages. */
const readAll = (
  connector: Connector<ZendeskSettings>,
  settings: ZendeskSettings,
  name: string,
  at: Partial<At> = {},
  afterPage?: (records: readonly FamilyRecord[]) => void,
  kept?: KeptAnswers,
) =>
  readStream(
    sourceStream(connector, name),
    () => ({ ...ioOf(connector, settings), ...(kept ? { kept } : {}) }),
    { size: 7, ...at },
    afterPage,
  );

testSuite(suite);

test("tickets that go between two pages take no others with them", async () => {
  const { tool, connector, settings } = await open();
  const { tickets } = tool.tables;
  const all = tickets.live().map(({ id }) => String(id));
  const gone: string[] = [];
  const { records } = await readAll(connector, settings, "tickets", {}, (page) => {
    const [first, second] = page.map(({ id }) => id);
    if (first === undefined || gone.length > 3) return;
    gone.push(first);
    tickets.remove(Number(first));
    if (second !== undefined) tickets.update(Number(second), {});
  });
  const seen = new Set(records.map(({ id }) => id));
  expect(gone.length).toBeGreaterThan(3);
  expect(all.filter((id) => !seen.has(id))).toEqual([]);
});

const text = (id: number | null) => (id === null ? null : String(id));
/** What Zendesk's own tables say that the source has to read. */
const expected = ({ tables, dump }: Zendesk) => {
  const who = (id: number | null) => {
    const row = id === null ? undefined : tables.users.get(id);
    if (!row) return null;
    const { name, email, role } = row.data;
    return row.deletedAt === null
      ? { stream: role === "end-user" ? "contacts" : "users", id: String(row.id), name, email }
      : { stream: null, id: null, name, email };
  };
  const tickets = tables.tickets.live();
  const digests = new Map(
    dump().attachments.map(({ id, name, inline, sha256 }) => [id, { name, inline, sha256 }]),
  );
  const comments = tickets.flatMap(({ id, data }) =>
    data.comments.map((comment) => ({ ticket: id, ...comment })),
  );
  const people = tables.users.live();
  return {
    users: people
      .filter(({ data }) => data.role !== "end-user")
      .map(({ id, data }) => ({
        id: String(id),
        name: data.name,
        email: data.email,
        role: data.role,
        externalId: data.external_id,
      })),
    contacts: people
      .filter(({ data }) => data.role === "end-user")
      .map(({ id, data }) => ({
        id: String(id),
        name: data.name,
        emails: data.email === null ? [] : [data.email],
        phones: data.phone === null ? [] : [data.phone],
        organizationId: text(data.organization_id),
        externalId: data.external_id,
      })),
    organizations: tables.organizations.live().map(({ id, data }) => ({
      id: String(id),
      name: data.name,
      domains: data.domain_names,
      externalId: data.external_id,
    })),
    groups: tables.groups.live().map(({ id, data }) => ({ id: String(id), name: data.name })),
    tickets: tickets.map(({ id, data, createdAt, updatedAt }) => ({
      id: String(id),
      createdAt: wholeSecond(createdAt),
      updatedAt: wholeSecond(updatedAt),
      subject: data.subject,
      status: data.status,
      priority: data.priority,
      author: who(data.submitter_id),
      requester: who(data.requester_id),
      assignee: who(data.assignee_id),
      groupId: text(data.group_id),
      organizationId: text(data.organization_id),
      externalId: data.external_id,
      brand: tables.brands.get(data.brand_id ?? 0)?.data.name ?? null,
      formName: tables.forms.get(data.ticket_form_id ?? 0)?.data.name ?? null,
    })),
    comments: comments.map((comment) => ({
      id: `${comment.ticket}-${comment.id}`,
      ticketId: String(comment.ticket),
      createdAt: wholeSecond(comment.createdAt),
      visibility: comment.public ? "public" : "internal",
      author: who(comment.author_id),
      kind: comment.isCall ? "call" : comment.public ? "reply" : "note",
    })),
    attachments: comments.flatMap((comment) =>
      comment.attachments.map((id) => ({
        id: `${comment.ticket}-${comment.id}-${id}`,
        parent: { stream: "comments", id: `${comment.ticket}-${comment.id}` },
        fileName: digests.get(id)?.name,
        inline: digests.get(id)?.inline,
        sha256: digests.get(id)?.sha256,
      })),
    ),
    articles: tables.articles.live().map(({ id, data }) => ({
      id: String(id),
      title: data.title,
      path: ["General", "General"],
      state: data.draft ? "draft" : "published",
      author: who(data.author_id),
    })),
  };
};

/** All that a read of everything gets wrong: differences from Zendesk's tables, broken laws, untrue answers. */
const problemsOf = async (
  tool: Zendesk,
  connector: Connector<ZendeskSettings>,
  settings: ZendeskSettings,
) => {
  const problems: string[] = [];
  const read = new Map<string, readonly FamilyRecord[]>();
  for (const name of Object.keys(expected(tool))) {
    try {
      const { records } = await readAll(connector, settings, name);
      const shown = records.map(async (record) => {
        if (name !== "attachments") return record;
        const sha256 = await digestOfFile(connector, ioOf(connector, settings), record).catch(String);
        return { ...record, sha256 };
      });
      read.set(name, await Promise.all(shown));
    } catch (error) {
      problems.push(`${name}: ${String(error)}`);
    }
  }
  const known = Object.entries(expected(tool)).filter(([name]) => read.has(name));
  for (const { stream, how } of differingStreams(Object.fromEntries(known), read))
    problems.push(`${stream}: ${how}`);
  return [...problems, ...tool.breaches.all.map(({ law }) => law), ...tool.lies.map(String)];
};

test("reads exactly what Zendesk has: archived and merged tickets, people who are gone, files of all kinds", async () => {
  const { tool, connector, settings } = await open();
  const spoken = tool.tables.tickets.live().find(({ data }) => data.comments.length > 1);
  tool.tables.tickets.update(spoken?.id ?? 0, {
    comments: (spoken?.data.comments ?? []).map((comment, index) => ({ ...comment, isCall: index === 1 })),
  });
  expect(await problemsOf(tool, connector, settings)).toEqual([]);
  // One call for a thousand comments, not one for each ticket.
  expect(tool.calls.filter(({ operation }) => operation.includes("{ticket_id}/comments"))).toEqual([]);
});

const whole = { since: null, parentId: null, cursor: null };

test.each(["tickets", "comments", "attachments"])("%s: ids come without a look at people", async (name) => {
  const { tool, connector, settings } = await open();
  const { records } = await readAll(connector, settings, name, { size: 1_000 });
  const before = tool.calls.length;
  const page = await sourceStream(connector, name).readIds?.(ioOf(connector, settings), whole);
  expect(page?.records.toSorted()).toEqual(records.map(({ id }) => id).toSorted());
  const asked = tool.calls.slice(before).map(({ path }) => path);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((path) => path.includes("users"))).toEqual([]);
});

test.each(["comments", "attachments"])(
  "%s: if only copied ones count, a page asks for no tickets, and has those of deleted ones too",
  async (name) => {
    const { tool, connector, settings } = await open();
    const { records } = await readAll(connector, settings, name, { size: 1_000 });
    const gone = records[0]?.id.split("-", 1)[0];
    tool.tables.tickets.remove(Number(gone));
    const ask = async (at: Partial<At>) => {
      const before = tool.calls.length;
      const page = await readAll(connector, settings, name, { size: 1_000, ...at });
      const asked = tool.calls.slice(before).filter(({ path }) => path.includes("tickets/show_many"));
      return { ids: page.records.map(({ id }) => id), asked: asked.length };
    };
    const ids = records.map(({ id }) => id);
    expect(await ask({})).toEqual({
      ids: ids.filter((id) => !id.startsWith(`${gone}-`)),
      asked: expect.any(Number),
    });
    const all = await ask({ copiedOnly: true });
    expect(all.asked).toBe(0);
    expect(all.ids).toEqual(expect.arrayContaining(ids));
  },
);

test("the export of comments tells of their files, too: only its last page is asked for again", async () => {
  const { tool, connector, settings } = await open();
  const exports = () => tool.calls.filter(({ path }) => path.includes("incremental/ticket_events")).length;
  const read = async (at: Partial<At>, kept?: KeptAnswers) => {
    const before = exports();
    const comments = await readAll(connector, settings, "comments", at, () => {}, kept);
    const between = exports();
    const attachments = await readAll(connector, settings, "attachments", at, () => {}, kept);
    return {
      records: [comments.records, attachments.records],
      calls: [between - before, exports() - between],
    };
  };
  const apart = await read({});
  const shared = await read({ pass: "copy" }, keepInMemory());
  expect(shared.records).toEqual(apart.records);
  const [pages = 0] = apart.calls;
  expect(pages).toBeGreaterThan(3);
  expect(apart.calls).toEqual([pages, pages]);
  expect(shared.calls).toEqual([pages, 1]);
  expect(tool.breaches.all).toEqual([]);
});

test("people are looked up once for many pages of one side", async () => {
  const { tool, connector, settings } = await open();
  const shared = {};
  const read = () =>
    sourceStream(connector, "comments").readPage({ ...ioOf(connector, settings), shared }, whole);
  const first = await read();
  const before = tool.calls.length;
  expect((await read()).records).toEqual(first.records);
  expect(tool.calls.slice(before).filter(({ path }) => path.includes("users"))).toEqual([]);
});

test("custom fields have the values that people chose, and tags are only what people tagged", async () => {
  const { tool, connector, settings } = await open();
  const { records } = await readAll(connector, settings, "tickets");
  const of = (subject: string) =>
    records.find((record) => (record as unknown as { subject: string }).subject === subject);
  const id = (key: string) => String(tool.ids.get(key));
  expect(of("All custom fields")).toMatchObject({
    tags: [],
    customFields: {
      [id("serial")]: "A-1",
      [id("product")]: "product_rocket_m",
      [id("channels")]: ["channel_shop", "channel_fair"],
      [id("region")]: "region_graz",
      [id("seats")]: 12,
      [id("renewal")]: "2025-02-28",
      [id("vip")]: true,
    },
  });
  expect(of("An option that was removed")).toMatchObject({
    customFields: { [id("product")]: "product_discontinued" },
  });
  expect(of("Emoji 🎉, RTL שלום مرحبا, and <b>no markup</b>")?.tags).toEqual(["größe", "rtl"]);
  const fields = await sourceStream(connector, "tickets").customFields?.(ioOf(connector, settings));
  expect(fields?.find(({ key }) => key === id("product"))).toMatchObject({
    label: "Product",
    type: "choice",
    options: expect.arrayContaining([{ value: "product_anvil_large", label: "Anvil (large)" }]) as unknown,
  });
});

test("an image in a text points to its file", async () => {
  const { connector, settings } = await open();
  const { records } = await readAll(connector, settings, "comments");
  const attachments = (await readAll(connector, settings, "attachments")).records;
  const inline = attachments.find((record) => (record as unknown as { inline: boolean }).inline);
  const references = records.flatMap(
    (record) => (record as unknown as { body: { references: object[] } }).body.references,
  );
  expect(references).toEqual([
    expect.objectContaining({ kind: "image", to: { stream: "attachments", id: inline?.id } }),
  ]);
});

test.each([
  ["one segment of people", { user_segment_id: 42 }],
  ["several segments", { user_segment_ids: [42, 43] }],
])("an article that is only for %s does not become public", async (_, segments) => {
  const { tool, connector, settings } = await open();
  const { articles } = tool.tables;
  const stateOf = async (id: number) => {
    const { records } = await readAll(connector, settings, "articles");
    const [byId] = await sourceStream(connector, "articles").readByIds(ioOf(connector, settings), [
      String(id),
    ]);
    return [records.find((record) => record.id === String(id)), byId].map(
      (record) => (record as unknown as { state: string }).state,
    );
  };
  const article = articles.live().find(({ data }) => !data.draft);
  const id = article?.id ?? 0;
  expect(await stateOf(id)).toEqual(["published", "published"]);
  articles.update(id, segments);
  expect(await stateOf(id)).toEqual(["draft", "draft"]);
});

test("a delta has what changed, by people or by Zendesk itself, without what was deleted", async () => {
  const { tool, connector, settings } = await open();
  const since = new Date(tool.clock.now() - 1_000);
  const { tickets, users, organizations } = tool.tables;
  const [changed, touched, gone] = ["t1", "t2", "t3"].map((key) => tool.ids.get(key) ?? 0);
  tickets.update(changed ?? 0, { subject: "Changed" });
  tickets.touch(touched ?? 0);
  tickets.remove(gone ?? 0);
  users.update(tool.ids.get("same1") ?? 0, { name: "Samuel" });
  users.update(tool.ids.get("agent1") ?? 0, { name: "Bob" });
  organizations.update(tool.ids.get("o3") ?? 0, { notes: "New" });
  const ids = async (name: string) =>
    (await readAll(connector, settings, name, { since })).records.map(({ id }) => id);
  expect((await ids("tickets")).toSorted()).toEqual([String(changed), String(touched)].toSorted());
  expect(await ids("contacts")).toEqual([String(tool.ids.get("same1"))]);
  expect([...new Set(await ids("organizations"))]).toEqual([String(tool.ids.get("o3"))]);
  expect(await ids("comments")).toEqual([]);
  expect(tool.breaches.all).toEqual([]);
});

test("waits for the minute that exports leave out", async () => {
  const lagMs = 1_500;
  const { tool, connector, settings } = await open({ exportLagMs: lagMs });
  const id = tool.ids.get("t1") ?? 0;
  tool.tables.tickets.update(id, { subject: "Changed at the last moment" });
  const comment = tool.tables.newComment({
    author_id: tool.ids.get("agent1") ?? 0,
    html_body: "<p>Bye</p>",
    public: true,
    createdAt: tool.clock.now(),
    attachments: [],
  });
  const { comments } = tool.tables.tickets.get(id)?.data ?? { comments: [] };
  tool.tables.tickets.update(id, { comments: [...comments, comment] });
  const since = new Date(tool.clock.now() - 500);
  for (const [name, wanted] of [
    ["tickets", String(id)],
    ["comments", `${id}-${comment.id}`],
  ] as const) {
    const { records, waitedMs } = await readAll(connector, settings, name, { since });
    expect(records.map((record) => record.id)).toContain(wanted);
    if (name === "tickets") expect(waitedMs).toBeGreaterThan(0);
  }
  expect(tool.breaches.all).toEqual([]);
});

/** The connector with another `http` for all reads. */
const withHttp = (
  connector: Connector<ZendeskSettings>,
  change: (http: Http) => Http["send"],
): Connector<ZendeskSettings> => ({
  ...connector,
  source: {
    helpdesk: (connector.source?.helpdesk ?? []).map((stream) => ({
      ...stream,
      readPage: (io: Io<ZendeskSettings>, at: At) =>
        stream.readPage({ ...io, http: { ...io.http, send: change(io.http) } }, at),
    })),
  },
});

const rewritten = (answer: HttpResponse, change: (text: string) => string): HttpResponse => {
  const changed = change(answer.text);
  return {
    ...answer,
    text: changed,
    json: <T>(schema?: { parse(value: unknown): T }) =>
      schema ? schema.parse(JSON.parse(changed)) : (JSON.parse(changed) as T),
  };
};

type Mutate = (connector: Connector<ZendeskSettings>) => Connector<ZendeskSettings>;

const sending =
  (change: (request: HttpRequest) => HttpRequest): Mutate =>
  (connector) =>
    withHttp(connector, (http) => (request) => http.send(change(request)));

const receiving =
  (change: (text: string) => string): Mutate =>
  (connector) =>
    withHttp(connector, (http) => async (request) => rewritten(await http.send(request), change));

/** Changes the query of requests that have a certain parameter. */
const asking = (parameter: string, query: HttpRequest["query"]): Mutate =>
  sending((request) =>
    request.query?.[parameter] === undefined || request.query[parameter] === null
      ? request
      : { ...request, query: { ...request.query, ...query } },
  );

const listTickets: Mutate = (connector) =>
  withHttp(connector, (http) => async (request) => {
    if (!request.url.includes("incremental/tickets")) return http.send(request);
    const query = { page: Number(request.query?.["cursor"] ?? 1), per_page: 7 };
    const answer = await http.send({ url: "api/v2/tickets", query });
    const more = answer.json<{ next_page: string | null }>().next_page !== null;
    return rewritten(answer, (body) =>
      JSON.stringify({ ...JSON.parse(body), after_cursor: String(query.page + 1), end_of_stream: !more }),
    );
  });

interface Mutant {
  readonly law: ZendeskLaw;
  /** The stream in which it shows; left out: the stand-in records the breach. */
  readonly differs?: string;
  readonly mutate: Mutate;
}

const mutants: Readonly<Record<string, Mutant>> = {
  "start_time is sent again": { law: "start-time-once", mutate: asking("cursor", { start_time: 0 }) },
  "the file host gets the credentials": {
    law: "no-credentials-to-file-host",
    mutate: ({ manifest, ...connector }) => ({
      ...connector,
      manifest: {
        ...manifest,
        hosts: (settings) => {
          const { api, files = [] } = manifest.hosts(settings);
          return { api: [...api, ...files] };
        },
      },
    }),
  },
  "a deleted ticket is taken as a live one": {
    law: "export-has-deleted",
    differs: "tickets",
    mutate: receiving((body) => body.replaceAll('"status":"deleted"', '"status":"closed"')),
  },
  "tickets are listed, not exported": { law: "export-not-list", mutate: listTickets },
  "archived tickets are not read": { law: "export-has-archived", differs: "tickets", mutate: listTickets },
  "merged tickets are left out": {
    law: "merged-stay",
    differs: "tickets",
    mutate: receiving((body) => {
      const answer = JSON.parse(body) as { tickets?: readonly { tags: readonly string[] }[] };
      const tickets = answer.tickets?.filter(({ tags }) => !tags.includes("closed_by_merge"));
      return JSON.stringify({ ...answer, ...(tickets && { tickets }) });
    }),
  },
  "people who are gone are not asked for": {
    law: "authors-gone",
    differs: "comments",
    mutate: sending((request) =>
      /users\/\d+$/.test(request.url) ? { ...request, url: "api/v2/users/1" } : request,
    ),
  },
  "the repeated second is read as new": {
    law: "time-pages-repeat",
    differs: "comments",
    mutate: (connector) => ({
      ...connector,
      source: {
        helpdesk: (connector.source?.helpdesk ?? []).map((stream) => ({
          ...stream,
          readPage: (io: Io<ZendeskSettings>, at: At) =>
            stream.readPage(io, {
              ...at,
              cursor: at.cursor && { ...at.cursor, ...("seen" in at.cursor && { seen: "" }) },
            }),
        })),
      },
    }),
  },
  "pages are larger than Zendesk allows": {
    law: "page-size",
    mutate: asking("per_page", { per_page: 5_000 }),
  },
  "a parameter is made up": { law: "as-described", mutate: asking("per_page", { colour: "red" }) },
  "inline images are left out": {
    law: "inline-images-apart",
    differs: "attachments",
    mutate: receiving((body) =>
      body.replaceAll('"inline":true,"deleted":false', '"inline":true,"deleted":true'),
    ),
  },
};

describe(lawTests.connector, () => {
  test.each(Object.entries(mutants).map(([name, mutant]) => ({ name, ...mutant })))(
    "$law: $name",
    async ({ law, differs = law, mutate }) => {
      const { tool, connector, settings } = await open();
      const problems = await problemsOf(tool, mutate(connector), settings);
      expect(problems.map((problem) => problem.split(":", 1)[0])).toContain(differs);
    },
  );

  test("start-time-not-recent: an export begins with this moment", async () => {
    const { tool, connector, settings } = await open({ exportLagMs: 60_000 });
    const now = asking("start_time", { start_time: Math.floor(tool.clock.now() / 1000) });
    await readAll(now(connector), settings, "tickets").catch(() => null);
    expect(tool.breaches.of("start-time-not-recent")).not.toEqual([]);
  });

  test("generated-timestamp: a delta goes by updated_at", async () => {
    const { tool, connector, settings } = await open();
    const since = new Date(tool.clock.now() - 1_000);
    const id = tool.ids.get("t2") ?? 0;
    tool.tables.tickets.touch(id);
    const byUpdates = receiving((body) => {
      const answer = JSON.parse(body) as { tickets?: readonly { updated_at: string }[] };
      const tickets = answer.tickets?.filter(({ updated_at: at }) => Date.parse(at) >= since.getTime());
      return JSON.stringify({ ...answer, ...(tickets && { tickets }) });
    });
    const idsOf = async (read: Connector<ZendeskSettings>) =>
      (await readAll(read, settings, "tickets", { since })).records.map((record) => record.id);
    expect([await idsOf(connector), await idsOf(byUpdates(connector))]).toEqual([[String(id)], []]);
  });

  test("export-lags: the connector does not wait for the last minute", async () => {
    const { tool, settings } = await open({ exportLagMs: 60_000 });
    const id = tool.ids.get("t1") ?? 0;
    tool.tables.tickets.update(id, { subject: "Changed at the last moment" });
    const hasty = createZendesk({ account: /./, files: [tool.filesUrl], exportLagMs: 0 });
    const since = new Date(tool.clock.now() - 61_000);
    const { records } = await readAll(hasty, settings, "tickets", { since });
    expect(records.map((record) => record.id)).not.toContain(String(id));
  });

  test("options-are-tags: tags of chosen options are taken for people's tags", async () => {
    const { connector, settings } = await open();
    const unaware = receiving((body) => {
      const answer = JSON.parse(body) as { tickets?: readonly object[] };
      const tickets = answer.tickets?.map((ticket) => ({ ...ticket, custom_fields: [] }));
      return JSON.stringify({ ...answer, ...(tickets && { tickets }) });
    });
    const { records } = await readAll(unaware(connector), settings, "tickets");
    const all = records.find((record) => "subject" in record && record.subject === "All custom fields");
    expect(all?.tags).toContain("product_rocket_m");
  });
});

test("every export counts in the quota of exports", async () => {
  const { connector, settings } = await open();
  const wrong: string[] = [];
  const watched = withHttp(connector, (http) => (request) => {
    if (request.url.includes("incremental/") !== (request.class === "export")) wrong.push(request.url);
    return http.send(request);
  });
  for (const name of ["tickets", "comments", "attachments", "contacts", "organizations"])
    for (const since of [null, new Date(0)]) await readAll(watched, settings, name, { since, size: 1_000 });
  expect(wrong).toEqual([]);
  expect(connector.manifest.limits).toContainEqual({ requests: 10, perMs: 60_000, class: "export" });
});

test("an export by time goes on after a second that fills a whole page", async () => {
  const { tool, connector, settings } = await open();
  const id = tool.ids.get("t1") ?? 0;
  const { comments } = tool.tables.tickets.get(id)?.data ?? { comments: [] };
  const [first] = comments;
  if (!first) throw new Error("no comment");
  const more = Array.from({ length: 3 }, () => tool.tables.newComment(first));
  tool.tables.tickets.update(id, { comments: [...comments, ...more] });
  const { records } = await readAll(connector, settings, "comments", { size: 1 });
  const ids = records.map((record) => record.id);
  expect(ids.toSorted()).toEqual(
    expected(tool)
      .comments.map((comment) => comment.id)
      .toSorted(),
  );
});

test("a conflict passes", async () => {
  const { tool, connector, settings } = await open();
  tool.fault("GET /api/v2/groups", { status: 409 }, 1);
  expect((await readAll(connector, settings, "groups")).records).toHaveLength(2);
});

test("a file with malware is a failure of its own", async () => {
  const { connector, settings } = await open();
  const [record] = (await readAll(connector, settings, "attachments")).records;
  if (!record) throw new Error("no file");
  const io = ioOf(connector, settings);
  const send: Http["send"] = async (request) =>
    rewritten(await io.http.send(request), (body) => body.replace("malware_not_found", "malware_found"));
  const file = await sourceStream(connector, "attachments").openFile?.(
    { ...io, http: { ...io.http, send } },
    record,
  );
  await expect(Promise.resolve().then(() => file?.open())).rejects.toMatchObject({
    recovery: "skip-record",
    code: "malware_found",
  });
});

describe("the check of the settings", () => {
  const check = (
    { connector, settings }: Awaited<ReturnType<typeof open>>,
    other: Partial<ZendeskSettings> = {},
  ) => {
    const given = { ...settings, ...other };
    return connector.check(ioOf(connector, given));
  };

  test("returns the account", async () => {
    const opened = await open();
    const { host } = new URL(opened.tool.url);
    expect(await check(opened)).toEqual({
      signInName: opened.tool.credentials.email,
      accountName: host,
      accountId: host,
    });
  });
  test("says what is wrong", async () => {
    const opened = await open();
    await expect(check(opened, { token: "wrong" })).rejects.toMatchObject({ recovery: "reauthorize" });
    const io = ioOf(opened.connector, opened.settings);
    const send: Http["send"] = async (request) =>
      rewritten(await io.http.send(request), (body) => body.replace(/"id":\d+/, '"id":null'));
    await expect(opened.connector.check({ ...io, http: { ...io.http, send } })).rejects.toMatchObject({
      recovery: "reauthorize",
    });
    opened.tool.fault("GET /api/v2/users/me", { status: 404 }, 1);
    await expect(check(opened)).rejects.toMatchObject({ code: "no_help_desk", setting: "instanceUrl" });
    opened.tool.tables.users.update(opened.tool.ids.get("admin") ?? 0, { role: "agent" });
    await expect(check(opened)).rejects.toMatchObject({ code: "not_admin", setting: "username" });
  });
  test("an account without a help center has no articles", async () => {
    const { tool, connector, settings } = await open();
    tool.fault("GET /api/v2/help_center/articles", { status: 404 }, 1);
    expect((await readAll(connector, settings, "articles")).records).toEqual([]);
  });
});
