import { createHash } from "node:crypto";
import {
  type DestinationStream,
  type FamilyRecord,
  type FileBody,
  helpdesk,
  type Outcome,
  type SourceStream,
} from "@portage/connector-kit";
import type { TransportRequest } from "@portage/connector-kit/http";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRtApi } from "../../test/tools/request-tracker/api.ts";
import { refusing, textOf } from "../../test/tools/refusing-transport.ts";
import type { RequestTracker } from "../../test/tools/request-tracker/request-tracker.ts";
import type { Seeded } from "../../test/tools/request-tracker/seed.ts";
import { startSeededRequestTracker } from "../../test/tools/request-tracker/seeded-request-tracker.ts";
import { hostileTexts } from "../../test/tools/request-tracker/seed-texts.ts";
import { type SmtpSink, startSmtpSink } from "../../test/tools/smtp-sink.ts";
import type { Attachment } from "./attachments-source.ts";
import type { Comment } from "./comments-source.ts";
import { requestTracker } from "./index.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import type { Ticket } from "./statuses.ts";

const transport = createPlainTransport();
let tool: RequestTracker;
let sink: SmtpSink;
let seeded: Seeded;
let io: () => RtIo;

beforeAll(async () => {
  sink = await startSmtpSink();
  ({ tracker: tool, seeded } = await startSeededRequestTracker({ smtpPort: sink.port }));
  const { url, token } = tool;
  const settings = { instanceUrl: url, token, externalIdField: "External ID" };
  io = () => createTestIo({ manifest: requestTracker.manifest, settings, transport });
});

afterAll(async () => {
  await tool?.stop();
  await sink?.close();
  await transport.close();
});

const source = (name: string) =>
  requestTracker.source?.helpdesk?.find(({ stream }) => stream.name === name) as SourceStream<
    FamilyRecord,
    RtSettings
  >;
const destination = (name: string) =>
  requestTracker.destination?.helpdesk?.find(({ stream }) => stream.name === name) as DestinationStream<
    FamilyRecord,
    RtSettings
  >;

const readAll = async <T>(name: string): Promise<readonly T[]> => {
  const records: FamilyRecord[] = [];
  for (let cursor = null, ended = false; !ended; ) {
    const page = await source(name).readPage(io(), { cursor, since: null, parentId: null });
    records.push(...page.records);
    ended = page.next === null;
    cursor = page.next as never;
  }
  return records as T[];
};

const ticketNamed = (name: string) => String(seeded.tickets[name]);

const digest = async (file: FileBody) => {
  const hash = createHash("sha256");
  for await (const chunk of await file.open()) hash.update(chunk);
  return hash.digest("hex");
};

const write = async (name: string, key: string, record: unknown, file?: FileBody) => {
  const one = { key, record: record as FamilyRecord, id: null, ...(file ? { file } : {}) };
  const [outcome] = await destination(name).write(io(), [one]);
  expect(outcome).toMatchObject({ kind: "written" });
  return outcome as Extract<Outcome, { kind: "written" }>;
};

test("the source reads RT's records unchanged", async () => {
  const tickets = new Map((await readAll<Ticket>("tickets")).map((ticket) => [ticket.id, ticket]));
  expect(tickets.has(ticketNamed("deleted"))).toBe(false);
  expect(tickets.has(ticketNamed("merged"))).toBe(false);
  expect(tickets.get(ticketNamed("stalled"))).toMatchObject({ status: "stalled", statusKind: "pending" });
  expect(tickets.get(ticketNamed("old"))?.createdAt).toBeNull();
  for (const [index, text] of hostileTexts.entries())
    expect(tickets.get(ticketNamed(`hostile ${index}`))?.description?.text).toBe(text);
  const comments = await readAll<Comment>("comments");
  const thread = comments.filter(({ ticketId }) => ticketId === ticketNamed("thread"));
  expect(thread.map(({ visibility }) => visibility).filter((each) => each === "internal")).toHaveLength(6);
  expect(thread[0]).toMatchObject({ author: { stream: "users", name: "Ana Líma" }, visibility: "public" });
  const words = comments.filter(({ ticketId }) => ticketId === ticketNamed("words"));
  // RT treats the message "0" as an empty one.
  expect(words.map(({ body }) => body.text)).toEqual(hostileTexts.map((text) => (text === "0" ? "" : text)));
  const moved = comments.filter(({ ticketId }) => ticketId === ticketNamed("into"));
  expect(moved.map(({ body }) => body.text)).toEqual(["Merged away", "Said before it was merged."]);
  const files = await readAll<Attachment>("attachments");
  expect(files.map(({ fileName }) => fileName)).toContain("Ünïcode ‘Ω’ 日本 🎈.txt");
});

const mailOf = (subject: string) =>
  [
    "From: ana@agents.test",
    "To: rt@rt.test",
    `Subject: ${subject}`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="out"',
    "",
    "--out",
    'Content-Type: multipart/alternative; boundary="in"',
    "",
    "--in",
    "Content-Type: text/plain",
    "",
    "Said plainly.",
    "--in",
    "Content-Type: text/html",
    "",
    "<p>Said in HTML.</p>",
    "--in--",
    "--out",
    "Content-Type: text/plain",
    "",
    "A second text: a < b",
    "--out",
    "Content-Type: message/rfc822",
    "",
    "From: Jo Doe <jo@elsewhere.test>",
    "Subject: The old message",
    "Content-Type: text/plain",
    "",
    "Said elsewhere.",
    "--out--",
    "",
  ].join("\r\n");

test("a mail with several texts loses none of them, and shows only one of alternatives", async () => {
  const body = new FormData();
  for (const [name, value] of Object.entries({ action: "correspond", queue: "1", message: mailOf("Texts") }))
    body.set(name, value);
  const answer = await fetch(`${tool.url}/REST/1.0/NoAuth/mail-gateway`, { method: "POST", body });
  expect(await answer.text()).toMatch(/^ok/);
  const ticket = (await readAll<Ticket>("tickets")).find(({ subject }) => subject === "Texts");
  const { format, text = "" } = ticket?.description ?? {};
  expect(format).toBe("html");
  const found = ["Said in HTML.", "A second text", "Jo Doe", "The old message", "Said elsewhere."];
  expect(found.map((each) => text.indexOf(each))).toEqual(
    found.map((each) => text.indexOf(each)).toSorted((a, b) => a - b),
  );
  expect(found.filter((each) => !text.includes(each))).toEqual([]);
  expect(text).not.toContain("Said plainly.");
});

test("a copy has the same text, sends no mail and does not change the state of its ticket", async () => {
  sink.empty();
  const comments = (await readAll<Comment>("comments")).filter(
    (each) => each.ticketId === ticketNamed("thread"),
  );
  const [original] = (await source("tickets").readByIds(io(), [ticketNamed("thread")])) as Ticket[];
  expect(original?.assignee?.name).toBe("Ana Líma");
  const solvedAt = "2016-05-06T07:08:09.000Z";
  const record = { ...original, status: "resolved", statusKind: "solved", solvedAt, tags: ["vip"] } as Ticket;
  const ticket = await write("tickets", "t-1:tickets:thread", record);
  expect(ticket.changes).toEqual([]);
  const said: string[] = [];
  for (const [index, comment] of comments.slice(0, 6).entries()) {
    const { id, changes } = await write("comments", `t-1:comments:${index}`, {
      ...comment,
      ticketId: ticket.id,
    });
    expect(changes).toEqual([]);
    said.push(id);
  }
  const copies = (await destination("comments").read(io(), said)) as Comment[];
  expect(copies.map(({ body, visibility }) => [body.text, visibility])).toEqual(
    comments.slice(0, 6).map(({ body, visibility }) => [body.text, visibility]),
  );
  const [after] = (await destination("tickets").read(io(), [ticket.id])) as Ticket[];
  expect(after).toMatchObject({
    status: "resolved",
    solvedAt,
    createdAt: record.createdAt,
    author: record.author,
  });
  expect(after?.description?.text).toBe(record.description?.text);

  const files = (await readAll<Attachment>("attachments")).filter(({ parent }) =>
    comments.some(({ id }) => parent.stream === "comments" && parent.id === id),
  );
  expect(files.length).toBeGreaterThan(3);
  for (const [index, file] of files.entries()) {
    const body = await source("attachments").openFile?.(io(), file);
    const parent = { stream: "comments", id: said[index % said.length] ?? "" };
    const { id, changes } = await write("attachments", `t-1:files:${index}`, { ...file, parent }, body);
    expect(changes?.map(({ field }) => field)).toEqual(["parent"]);
    const [copy] = (await destination("attachments").read(io(), [id])) as Attachment[];
    expect(copy).toMatchObject({ parent, fileName: file.fileName, size: file.size });
    const sent = body;
    const got = await destination("attachments").openFile?.(io(), id);
    expect(sent && got && (await digest(got))).toBe(sent && (await digest(sent)));
  }
  const empty: FileBody = { name: "empty.txt", contentType: "text/plain", size: 0, async *open() {} };
  const nothing = {
    ...files[0],
    fileName: "empty.txt",
    contentType: "text/plain",
    size: 0,
    parent: { stream: "tickets", id: ticket.id },
  };
  await write("attachments", "t-1:files:empty", nothing, empty);
  const [settled] = (await destination("tickets").read(io(), [ticket.id])) as Ticket[];
  expect(settled).toMatchObject({ status: "resolved", solvedAt });
  expect((await readAll<Comment>("comments")).filter((each) => each.ticketId === ticket.id)).toHaveLength(6);
  expect(sink.mails()).toEqual([]);
});

test("a text in another encoding keeps its bytes", async () => {
  const bytes = Buffer.from("caf\u00e9, latin", "latin1");
  const file: FileBody = {
    name: "latin.txt",
    contentType: "text/plain",
    size: bytes.length,
    async *open() {
      yield bytes;
    },
  };
  const parent = { stream: "tickets", id: ticketNamed("open") };
  const record = {
    parent,
    fileName: "latin.txt",
    contentType: "text/plain",
    size: bytes.length,
    author: null,
    createdAt: null,
    description: null,
    customFields: {},
  };
  const { id, changes } = await write("attachments", "t-1:files:latin", record, file);
  expect(changes?.map(({ field }) => field)).toEqual(["parent", "contentType"]);
  const got = await destination("attachments").openFile?.(io(), id);
  expect(got && (await digest(got))).toBe(await digest(file));
});

describe("what RT refuses beside a record that it took is a change of the record, not its failure", () => {
  const isPut = (path: RegExp) => (request: TransportRequest) =>
    request.method === "PUT" && path.test(request.url);
  const writeRefused = async (
    name: string,
    isRefused: (request: TransportRequest) => boolean,
    all: readonly { key: string; record: unknown }[],
  ) => {
    const { manifest } = requestTracker;
    const { settings } = io();
    const other = createTestIo({ manifest, settings, transport: refusing(transport, isRefused) });
    const batch = all.map(({ key, record }) => ({ key, record: record as FamilyRecord, id: null }));
    return destination(name).write(other, batch);
  };
  const changed = (...fields: string[]) => ({
    kind: "written",
    changes: expect.arrayContaining(
      fields.map((field) =>
        expect.objectContaining({ field, why: expect.stringContaining("did not let the import") as unknown }),
      ),
    ) as unknown,
  });
  const original = async () =>
    ((await source("tickets").readByIds(io(), [ticketNamed("thread")])) as Ticket[])[0] as Ticket;

  test("a status", async () => {
    const record = { ...(await original()), status: "stalled", statusKind: "pending" };
    const all = [{ key: "t-2:stalled", record }];
    const [outcome] = await writeRefused("tickets", isPut(/\/ticket\//), all);
    expect(outcome).toMatchObject(changed("status", "statusKind"));
  });

  test("the times of a ticket after comments, with the last reply", async () => {
    const solved = { status: "resolved", statusKind: "solved", solvedAt: "2016-05-06T07:08:09.000Z" };
    const ticket = await write("tickets", "t-2:solved", { ...(await original()), ...solved });
    const say = (number: number, visibility: "public" | "internal") => ({
      key: `t-2:said:${number}`,
      record: helpdesk.comments.make({
        id: String(number),
        ticketId: ticket.id,
        visibility,
        body: { format: "plain", text: `Said ${number}.` },
      }),
    });
    const all = [say(1, "public"), say(2, "public"), say(3, "internal")];
    const outcomes = await writeRefused("comments", isPut(/\/ticket\//), all);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["written", "written", "written"]);
    expect(outcomes[1]).toMatchObject(changed("ticketId"));
    expect(outcomes.map((each) => "changes" in each && each.changes?.length)).toEqual([0, 1, 0]);
  });

  test("the agents of a queue", async () => {
    const agent = (await destination("users").people?.(io()))?.find(({ name }) => name === "Ana Líma");
    const record = helpdesk.groups.make({ id: "1", name: "Refused agents", memberIds: [agent?.id ?? ""] });
    const all = [{ key: "t-2:queue", record }];
    const [outcome] = await writeRefused("groups", isPut(/\/queue\//), all);
    expect(outcome).toMatchObject(changed("memberIds"));
  });

  test("a call with several tickets: each is sent alone, and only the one that RT does not take is rejected", async () => {
    const one = await original();
    const all = [1, 2, 3].map((number) => ({
      key: `t-2:bulk:${number}`,
      record: { ...one, subject: number === 2 ? "Refused" : `Taken ${number}` },
    }));
    const isRefused = (request: TransportRequest) =>
      /tickets\/bulk/.test(request.url) && textOf(request).includes('"Subject":"Refused"');
    const outcomes = await writeRefused("tickets", isRefused, all);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["written", "rejected", "written"]);
    const asked = all.map(({ key }) => ({ key, since: new Date(0) }));
    const found = await destination("tickets").find(io(), asked);
    expect(all.map(({ key }) => found.get(key)?.length ?? 0)).toEqual([1, 0, 1]);
  });
});

test("a queue and a person whom tickets of others use stay", async () => {
  const { call } = createRtApi(tool.url, tool.token, () => "");
  const removal = async (stream: string, id: string, key: string) =>
    (await destination(stream).remove?.(io(), [{ id, key }]))?.[0];
  const inUse = { kind: "kept", code: "in_use" };
  const group = helpdesk.groups.make({ id: "1", name: "Used by others" });
  const { id: queue } = await write("groups", "t-9:groups:1", group);
  const uses: Readonly<Record<string, (id: string) => object>> = {
    Requestor: (id) => ({ Requestor: `person-${id}@example.org` }),
    Cc: (id) => ({ Cc: `person-${id}@example.org` }),
  };
  for (const [name, use] of Object.entries(uses)) {
    const key = `t-9:contacts:${name.toLowerCase()}`;
    const emails = [`person-${name.toLowerCase()}@example.org`];
    const { id } = await write("contacts", key, helpdesk.contacts.make({ id: name, name, emails }));
    const fields = { Queue: queue, Subject: "Not ours", ...use(name.toLowerCase()) };
    const ticket = await call<{ id: string }>("POST", "ticket", fields);
    expect([name, await removal("contacts", id, key)]).toMatchObject([name, inUse]);
    expect(await removal("groups", queue, "t-9:groups:1")).toMatchObject(inUse);
    await call("DELETE", `ticket/${ticket.id}`);
    expect([name, await removal("contacts", id, key)]).toEqual([name, { kind: "removed" }]);
  }
  const ana = helpdesk.users.make({ id: "1", name: "Own Er", email: "own.er@example.org", active: true });
  const { id: owner } = await write("users", "t-9:users:1", ana);
  await call("PUT", `queue/${queue}`, { AdminCc: [owner] });
  const owned = await call<{ id: string }>("POST", "ticket", { Queue: queue, Subject: "Not ours" });
  await call("PUT", `ticket/${owned.id}`, { AdminCc: [owner] });
  expect(await removal("users", owner, "t-9:users:1")).toMatchObject(inUse);
  await call("DELETE", `ticket/${owned.id}`);
  expect(await removal("users", owner, "t-9:users:1")).toEqual({ kind: "removed" });
  expect(await removal("groups", queue, "t-9:groups:1")).toEqual({ kind: "removed" });
});

test("without the custom field for the key the destination writes nothing", async () => {
  const settings = { instanceUrl: tool.url, token: tool.token, externalIdField: "No such field" };
  const other = createTestIo({ manifest: requestTracker.manifest, settings, transport });
  const [record] = await source("tickets").readByIds(io(), [ticketNamed("open")]);
  const writing = destination("tickets").write(other, [
    { key: "k", record: record as FamilyRecord, id: null },
  ]);
  await expect(writing).rejects.toMatchObject({ code: "missing_custom_field", recovery: "abort" });
});
