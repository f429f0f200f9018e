import { buffer } from "node:stream/consumers";
import type { Cursor, FamilyRecord, helpdesk, Page, RecordOf, SourceStream } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { query } from "../../test/journeys/moves/dump-tables.ts";
import { seedTexts } from "../../test/tools/znuny/seed-texts.ts";
import { type SeededZnuny, startSeededZnuny } from "../../test/tools/znuny/seeded-znuny.ts";
import type { ZnunyServer } from "../../test/tools/znuny/znuny-server.ts";
import { znuny } from "./index.ts";
import type { ZnunySettings } from "./settings.ts";

type Ticket = RecordOf<typeof helpdesk.tickets>;
type Comment = RecordOf<typeof helpdesk.comments>;
type Attachment = RecordOf<typeof helpdesk.attachments>;

const transport = createPlainTransport();
let server: ZnunyServer;
let seeded: SeededZnuny;
beforeAll(async () => {
  ({ znuny: server, seeded } = await startSeededZnuny());
});
afterAll(async () => {
  await server?.stop();
  await transport.close();
});

const ioWith = (changed: Partial<ZnunySettings> = {}) => {
  const { url, username, password, webService, timeZone } = server;
  const settings = { instanceUrl: url, username, password, webService, timeZone, ...changed };
  return createTestIo({ manifest: znuny.manifest, settings, transport, retry: { attempts: 1 } });
};

const streamOf = <T extends FamilyRecord>(name: string): SourceStream<T, ZnunySettings> => {
  const streams = znuny.source?.helpdesk ?? [];
  return streams.find(({ stream }) => stream.name === name) as unknown as SourceStream<T, ZnunySettings>;
};

const readAll = async <T extends FamilyRecord>(name: string): Promise<readonly T[]> => {
  const all: T[] = [];
  let cursor: Cursor | null = null;
  do {
    const page: Page<T> = await streamOf<T>(name).readPage(ioWith(), { cursor, since: null, parentId: null });
    all.push(...page.records);
    cursor = page.next;
  } while (cursor !== null);
  return all;
};

const ticket = async (name: string): Promise<Ticket> => {
  const [found] = await streamOf<Ticket>("tickets").readByIds(ioWith(), [seeded.tickets[name] ?? ""]);
  if (!found) throw new Error(`No ticket ${name}.`);
  return found;
};

const commentsOf = async (name: string): Promise<readonly Comment[]> => {
  const parents = [{ stream: "tickets", id: seeded.tickets[name] ?? "" }];
  return (await streamOf<Comment>("comments").readByParents?.(ioWith(), parents)) ?? [];
};

const filesOf = async (parents: readonly { stream: string; id: string }[]) =>
  (await streamOf<Attachment>("attachments").readByParents?.(ioWith(), parents)) ?? [];

test("reads every ticket, though a search lists 500 and 520 are of one second", async () => {
  const rows = await query<{ id: string }>(server.database, "select id::text as id from ticket");
  const read = await readAll<Ticket>("tickets");
  expect(read.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

test("times get the zone of the server, in winter and in summer", async () => {
  expect((await ticket("new")).createdAt).toBe("2014-01-15T07:00:00.000Z");
  expect((await ticket("open")).createdAt).toBe("2016-07-15T06:00:00.000Z");
  expect((await ticket("pending reminder")).dueAt).toBe("2031-12-31T22:59:00.000Z");
});

test("people and queues come from the tickets that name them, each once", async () => {
  const contacts = await readAll<RecordOf<typeof helpdesk.contacts>>("contacts");
  expect(contacts.map(({ id }) => id).toSorted()).toEqual([
    "eva+shop@customer.test",
    "jose@customer.test",
    "o'brien_100%",
    "smith1@customer.test",
    "smith2@customer.test",
  ]);
  expect(contacts.find(({ id }) => id.startsWith("jose"))).toMatchObject({
    name: "José Ñuñez",
    emails: ["jose@customer.test"],
  });
  const users = await readAll<RecordOf<typeof helpdesk.users>>("users");
  expect(users.map(({ id }) => id).toSorted()).toEqual(Object.values(seeded.agents).toSorted());
  const groups = await readAll<RecordOf<typeof helpdesk.groups>>("groups");
  expect(groups.map(({ name }) => name).toSorted()).toEqual([
    "Raw",
    ...Object.keys(seeded.queues).toSorted(),
  ]);
});

test("the conversation: mail and phone are public, notes as they are marked, each by its author", async () => {
  const description = (await ticket("thread")).description;
  expect(description).toMatchObject({ format: "html" });
  const said = await commentsOf("thread");
  expect(said.slice(0, 4).map(({ visibility, author }) => [visibility, author?.stream, author?.id])).toEqual([
    ["public", "users", seeded.agents["ana"]],
    ["internal", "users", seeded.agents["bjorn"]],
    ["public", "users", seeded.agents["chie"]],
    ["internal", null, null],
  ]);
  expect(said[1]).toMatchObject({ customFields: { Mood: "worried", Subject: "Private" }, kind: "note" });
  expect(said[0]).toMatchObject({ incoming: false });
  const [row] = await query<{ tn: string }>(
    server.database,
    `select tn from ticket where id = ${Number(seeded.tickets["thread"])}`,
  );
  expect((await ticket("thread")).number).toBe(row?.tn);
  expect((await ticket("thread")).author).toMatchObject({ stream: "contacts", id: "jose@customer.test" });
});

test("an image inside a text leads to its file, whose bytes are unchanged", async () => {
  const { id, description } = await ticket("thread");
  const files = await filesOf([{ stream: "tickets", id }]);
  expect(files).toMatchObject([{ fileName: "dot.png", contentType: "image/png", inline: true }]);
  expect(description?.references).toContainEqual({
    kind: "image",
    url: "cid:dot@znuny.test",
    to: { stream: "attachments", id: files[0]?.id },
  });
  const [dot] = files;
  const body = dot && (await streamOf<Attachment>("attachments").openFile?.(ioWith(), dot));
  expect(body && (await buffer(await body.open())).toString("base64")).toBe(seedTexts.png);
});

test("an HTML file that people sent is a file, not the text", async () => {
  const said = await commentsOf("thread");
  const files = await filesOf(said.map(({ id }) => ({ stream: "comments", id })));
  expect(files.map(({ fileName }) => fileName)).toEqual([
    "Ünïcode ‘Ω’ 日本 🎈.txt",
    "five-megabytes.bin",
    "with space & (brackets) [1].pdf",
    "page.html",
  ]);
});

test("a file that is gone is a file's failure, not its content", async () => {
  const [dot] = await filesOf([{ stream: "tickets", id: seeded.tickets["thread"] ?? "" }]);
  const gone = { ...(dot as Attachment), id: `${dot?.id}9` };
  const body = await streamOf<Attachment>("attachments").openFile?.(ioWith(), gone);
  await expect((async () => body?.open())()).rejects.toMatchObject({
    recovery: "skip-record",
    code: "not_found",
  });
});

test("a ticket that a note began has no description: the note stays internal", async () => {
  expect((await ticket("internal")).description).toBeNull();
  expect(await commentsOf("internal")).toMatchObject([{ visibility: "internal" }]);
});

test("states by their types, fields by their names", async () => {
  const kinds = await Promise.all(
    ["new", "open", "pending reminder", "closed successful", "removed", "away"].map(
      async (name) => (await ticket(name)).statusKind,
    ),
  );
  expect(kinds).toEqual(["new", "open", "pending", "solved", "closed", "closed"]);
  expect((await ticket("open")).customFields).toMatchObject({
    Colour: "red",
    Platforms: ["Linux", "macOS"],
    Notes: "First line\nsecond line",
    CustomerID: "nunez",
  });
  const fields = (await streamOf<Ticket>("tickets").customFields?.(ioWith())) ?? [];
  expect(fields).toContainEqual(expect.objectContaining({ key: "Platforms", type: "choices" }));
});

test("a delta finds a new article by its own time, whatever the ticket's is", async () => {
  const id = seeded.tickets["new"];
  const since = new Date(Date.now() - 60_000);
  await server.perl(`
    use Kernel::System::ObjectManager;
    local $Kernel::OM = Kernel::System::ObjectManager->new();
    $Kernel::OM->Get('Kernel::System::Ticket::Article')->BackendForChannel( ChannelName => 'Email' )->ArticleCreate(
        TicketID => ${id}, SenderType => 'customer', IsVisibleForCustomer => 1, From => 'jose@customer.test',
        Subject => 'Again', Body => 'Hello?', ContentType => 'text/plain; charset=utf-8',
        HistoryType => 'EmailCustomer', HistoryComment => 'test', UserID => 1, NoAgentNotify => 1,
    ) or die;
  `);
  await query(server.database, `update ticket set change_time = '2014-01-15 08:00:00' where id = ${id}`);
  const { records } = await streamOf<Comment>("comments").readPage(ioWith(), {
    cursor: null,
    since,
    parentId: null,
  });
  expect(records).toMatchObject([{ ticketId: id, body: { text: "Hello?" } }]);
});

describe("sign-in", () => {
  test("a session that has ended is renewed", async () => {
    await ticket("new");
    await query(server.database, "delete from sessions");
    expect((await ticket("new")).subject).toBe("A ticket that is new");
  });

  test.each<[string, Partial<ZnunySettings>, object]>([
    ["a wrong password", { password: "wrong" }, { recovery: "reauthorize", setting: "password" }],
    ["another web service", { webService: "None" }, { recovery: "abort", setting: "webService" }],
    ["another time zone", { timeZone: "UTC" }, { recovery: "abort", setting: "timeZone" }],
  ])("%s is found by the check, with its setting", async (_, changed, expected) => {
    await expect(znuny.check(ioWith(changed))).rejects.toMatchObject(expected);
  });
});
