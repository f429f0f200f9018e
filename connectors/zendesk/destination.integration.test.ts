import {
  type Connector,
  type DestinationStream,
  type FamilyRecord,
  helpdesk,
  type Outcome,
  type Write,
} from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { startZendesk, type Zendesk, type ZendeskOptions } from "../../test/vendors/zendesk/stand-in.ts";
import { createZendesk } from "./index.ts";
import type { ZendeskSettings } from "./settings.ts";

const transport = createPlainTransport();
const started: Zendesk[] = [];
afterAll(async () => {
  await Promise.all(started.map((tool) => tool.close()));
  await transport.close();
});

type Destination = DestinationStream<FamilyRecord, ZendeskSettings>;

const open = async (options: ZendeskOptions = {}) => {
  const tool = await startZendesk({ sizes: null, quotas: "off", exportLagMs: 0, ...options });
  started.push(tool);
  const account = new RegExp(`^${tool.url}$`);
  const connector: Connector<ZendeskSettings> = createZendesk({
    account,
    files: [tool.filesUrl],
    exportLagMs: 0,
  });
  const { email: username, apiToken: token } = tool.credentials;
  const settings = { instanceUrl: tool.url, username, token };
  const io = (signal?: AbortSignal) =>
    createTestIo({ manifest: connector.manifest, settings, transport, ...(signal ? { signal } : {}) });
  const to = (name: string): Destination => {
    const found = connector.destination?.helpdesk?.find(({ stream }) => stream.name === name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  const calls = (operation: string) => tool.calls.filter((call) => call.operation === operation).length;
  return { tool, io, to, calls, me: String(tool.ids.get("admin")) };
};

const create = "POST /api/v2/imports/tickets/create_many";
const update = "PUT /api/v2/tickets/{ticket_id}";
const since = new Date(0);

const ticket = (key: string, fields: object = {}): Write<FamilyRecord> => ({
  key,
  id: null,
  record: helpdesk.tickets.make({
    id: key,
    subject: `Subject of ${key}`,
    description: { format: "plain", text: `Text of ${key}`, references: [] },
    status: "open",
    statusKind: "open",
    createdAt: "2019-02-03T04:05:06.000Z",
    ...fields,
  }),
});

const comment = (key: string, ticketId: string, fields: object = {}): Write<FamilyRecord> => ({
  key,
  id: null,
  record: helpdesk.comments.make({
    id: key,
    ticketId,
    visibility: "public",
    body: { format: "html", text: `<p>Said in ${key}</p>`, references: [] },
    createdAt: "2019-02-04T00:00:00.000Z",
    ...fields,
  }),
});

const attachment = (key: string, stream: string, parentId: string): Write<FamilyRecord> => {
  const bytes = Buffer.from(`Bytes of ${key}`);
  const name = `${key}.txt`;
  return {
    key,
    id: null,
    record: helpdesk.attachments.make({
      id: key,
      parent: { stream, id: parentId },
      fileName: name,
      contentType: "text/plain",
      size: bytes.length,
    }),
    file: {
      name,
      contentType: "text/plain",
      size: bytes.length,
      async *open() {
        yield bytes;
      },
    },
  };
};

const idOf = (outcome: Outcome<FamilyRecord> | undefined): string => {
  if (!outcome || !("id" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.id;
};

test("a move takes few calls, updates no ticket, and comments keep dates, authors and files", async () => {
  const { tool, io, to, calls, me } = await open();
  const author = { stream: "users", id: me, name: null, email: null };
  const writes = Array.from({ length: 120 }, (_, index): Write<FamilyRecord> => {
    const key = `t-${index}`;
    return {
      ...ticket(key, { author }),
      parts: {
        comments: [
          comment(`c-${index}-1`, key, { author }),
          comment(`c-${index}-2`, key, { visibility: "internal", author: { name: "Jo Doe" } }),
        ],
        attachments:
          index > 4
            ? []
            : [
                attachment(`f-${index}-1`, "comments", `c-${index}-1`),
                attachment(`f-${index}-2`, "tickets", key),
              ],
      },
    };
  });
  const outcomes = await to("tickets").write(io(), writes);
  const ids = outcomes.map(idOf);
  expect([calls(create), calls(update)]).toEqual([2, 0]);
  expect(tool.counted).toEqual({ triggers: 0, mails: 0 });

  const [id = ""] = ids;
  const [record] = await to("tickets").read(io(), [id]);
  expect(record).toMatchObject({
    createdAt: "2019-02-03T04:05:06.000Z",
    description: { format: "html", text: "<p>Text of t-0</p>" },
    author: { id: me },
  });
  const comments = to("comments");
  const asked = ["c-0-1", "c-0-2", "c-0-3"].map((key) => ({ key, since, parentId: id }));
  const found = await comments.find(io(), asked);
  expect([...found.values()].map(({ length }) => length)).toEqual([1, 1, 0]);
  const [first = "", second = ""] = [...found.values()].flat();
  expect(await comments.read(io(), [first, second])).toMatchObject([
    {
      createdAt: "2019-02-04T00:00:00.000Z",
      body: { text: "<p>Said in c-0-1</p>" },
      visibility: "public",
      author: { id: me },
    },
    { visibility: "internal", body: { text: "<p>Said in c-0-2</p>" } },
  ]);
  // The engine completes what it finds: nothing is left to send.
  const again = await comments.write(io(), [{ ...comment("c-0-1", id, { author }), id: first }]);
  expect(again).toMatchObject([{ kind: "written", id: first }]);

  const files = to("attachments");
  const held = await files.find(io(), [
    { key: "f-0-1", since, parentId: first, parentStream: "comments" },
    { key: "f-0-2", since, parentId: id, parentStream: "tickets" },
  ]);
  expect(await files.read(io(), [...held.values()].flat())).toMatchObject([
    { fileName: "f-0-1.txt", parent: { stream: "comments", id: first } },
    { fileName: "f-0-2.txt", parent: { stream: "tickets", id } },
  ]);
  expect([calls(create), calls(update)]).toEqual([2, 0]);
  expect(tool.breaches.all).toEqual([]);
  expect(tool.lies).toEqual([]);
});

test("30 lost answers to jobs that still run: a look-up waits for the job, and nothing is doubled", async () => {
  const { tool, io, to } = await open({ jobMs: 300 });
  const tickets = to("tickets");
  for (let round = 0; round < 30; round += 1) {
    const writes = [ticket(`lost-${round}-a`), ticket(`lost-${round}-b`)];
    tool.fault(create, "lose answer");
    expect(await tickets.write(io(), writes)).toMatchObject([{ kind: "unknown" }, { kind: "unknown" }]);
    const found = await tickets.find(
      io(),
      writes.map(({ key }) => ({ key, since })),
    );
    expect([...found.values()].map(({ length }) => length)).toEqual([1, 1]);
    const missing = writes.filter(({ key }) => found.get(key)?.length === 0);
    await tickets.write(io(), missing);
  }
  expect(tool.dump().tickets).toHaveLength(60);
  expect(tool.breaches.all).toEqual([]);
}, 300_000);

test("a look-up fails as long as a job runs that may hold the record: it never says that there is none", async () => {
  const { tool, io, to } = await open({ jobMs: 3_600_000 });
  tool.fault(create, "lose answer");
  await to("tickets").write(io(), [ticket("slow")]);
  const tooLong = AbortSignal.timeout(700);
  await expect(to("tickets").find(io(tooLong), [{ key: "slow", since }])).rejects.toMatchObject({
    name: "ConnectorError",
    recovery: "retry",
  });
});

test("a refused question about a job leaves its records in doubt: none is sent again", async () => {
  const { tool, io, to, calls } = await open();
  tool.fault("GET /api/v2/job_statuses/{job_status_id}", { status: 403 });
  const outcomes = await to("tickets").write(io(), [ticket("a"), ticket("b")]);
  expect(outcomes).toMatchObject([{ kind: "unknown" }, { kind: "unknown" }]);
  expect(calls(create)).toBe(1);
});

test("a ticket that Zendesk refuses costs no other, and is named with the reason", async () => {
  const { io, to } = await open();
  const unknown = { requester: { stream: "contacts", id: "999999", name: null, email: null } };
  const outcomes = await to("tickets").write(io(), [ticket("good"), ticket("bad", unknown)]);
  expect(outcomes).toMatchObject([{ kind: "written" }, { kind: "rejected" }]);
});

test("what comes after its ticket is an internal note, which sends no mail; a closed ticket takes none", async () => {
  const { tool, io, to, calls } = await open();
  const [opened, closed] = (
    await to("tickets").write(io(), [
      ticket("open"),
      ticket("closed", { status: "closed", statusKind: "closed" }),
    ])
  ).map(idOf);
  const [late] = await to("comments").write(io(), [comment("late", opened ?? "")]);
  expect(late).toMatchObject({
    kind: "written",
    record: { visibility: "internal", body: { text: "<p>Said in late</p>" } },
  });
  const changed = late?.kind === "written" ? late.changes?.map(({ field }) => field) : [];
  expect(changed).toEqual(expect.arrayContaining(["createdAt", "visibility"]));
  const [file] = await to("attachments").write(io(), [attachment("late-file", "comments", idOf(late))]);
  expect(file).toMatchObject({ kind: "written", record: { parent: { stream: "comments", id: idOf(late) } } });
  expect(calls(update)).toBe(2);
  expect(tool.counted.mails).toBe(0);
  expect(await to("comments").write(io(), [comment("too-late", closed ?? "")])).toMatchObject([
    { kind: "rejected", code: "ticket_closed" },
  ]);
  expect(calls(update)).toBe(2);
  expect(
    await to("comments").write(io(), [
      {
        ...comment("late", opened ?? "", { body: { format: "plain", text: "Other words", references: [] } }),
        id: idOf(late),
      },
    ]),
  ).toMatchObject([{ kind: "rejected", code: "not_changeable" }]);
});

test("a public comment becomes private if its original did, even if its text can't be changed", async () => {
  const { tool, io, to, calls } = await open();
  const parts = { comments: [comment("said", "t"), comment("cut", "t")] };
  // The text of the ticket itself is a note: its comments alone make it public.
  const [ticketId = ""] = (
    await to("tickets").write(io(), [{ ...ticket("t", { visibility: "internal" }), parts }])
  ).map(idOf);
  const asked = ["said", "cut"].map((key) => ({ key, since, parentId: ticketId }));
  const [said = "", cut = ""] = [...(await to("comments").find(io(), asked)).values()].flat();
  const hidden = { visibility: "internal" } as const;
  const asTicket = async () => (await to("tickets").read(io(), [ticketId]))[0] as object;
  const before = await asTicket();
  expect(
    await to("comments").write(io(), [
      { ...comment("said", ticketId, hidden), id: said },
      {
        ...comment("cut", ticketId, { ...hidden, body: { format: "plain", text: "▇▇▇", references: [] } }),
        id: cut,
      },
    ]),
  ).toMatchObject([
    { kind: "written", id: said, record: hidden },
    { kind: "rejected", code: "not_changeable" },
  ]);
  expect(await to("comments").read(io(), [said, cut])).toMatchObject([hidden, hidden]);
  // Neither the ticket nor the refused comment looks as if a person had changed it.
  const volatile = new Set(["updatedAt", ...(to("tickets").volatileFields ?? [])]);
  const steady = (of: object) => Object.entries(of).filter(([field]) => !volatile.has(field));
  expect(steady(await asTicket())).toEqual(steady(before));
  expect(await to("comments").isUntouched?.(io(), [said, cut])).toEqual([true, true]);
  expect(calls("PUT /api/v2/tickets/{ticket_id}/comments/{ticket_comment_id}/make_private")).toBe(2);
  expect([calls(update), tool.counted.mails, tool.lies, tool.breaches.all]).toEqual([0, 0, [], []]);
});

test("a ticket that is as it should be is not updated; a changed one by one call, without what stays", async () => {
  const { io, to, calls } = await open();
  const [id] = (await to("tickets").write(io(), [ticket("t")])).map(idOf);
  const same = { ...ticket("t"), id: id ?? "" };
  expect(await to("tickets").write(io(), [same])).toMatchObject([{ kind: "written", id }]);
  expect(calls(update)).toBe(0);
  const solved = { ...ticket("t", { status: "solved", statusKind: "solved" }), id: id ?? "" };
  expect(await to("tickets").write(io(), [solved])).toMatchObject([
    { kind: "written", id, record: { status: "solved" } },
  ]);
  expect(calls(update)).toBe(1);
});

test("people and organizations that are there are matched by address or name, and stay as they are", async () => {
  const { tool, io, to } = await open();
  const before = tool.digest();
  const contact = helpdesk.contacts.make({
    id: "1",
    name: "Other",
    emails: [tool.credentials.email.toUpperCase()],
  });
  expect(await to("contacts").write(io(), [{ key: "k1", id: null, record: contact }])).toEqual([
    { kind: "matched", id: String(tool.ids.get("admin")) },
  ]);
  expect(tool.digest()).toBe(before);
  const organization = (name: string) => helpdesk.organizations.make({ id: name, name });
  const [made] = await to("organizations").write(io(), [
    { key: "o1", id: null, record: organization("Acme") },
  ]);
  expect(
    await to("organizations").write(io(), [{ key: "o2", id: null, record: organization("ACME") }]),
  ).toEqual([{ kind: "matched", id: idOf(made) }]);
  expect(tool.counted.mails).toBe(0);
  expect(tool.breaches.all).toEqual([]);
});

test("an undo leaves what was there before, for good, also after a lost answer", async () => {
  const { tool, io, to } = await open();
  const before = tool.digest();
  const [person] = await to("contacts").write(io(), [
    {
      key: "p",
      id: null,
      record: helpdesk.contacts.make({ id: "1", name: "Sam", emails: ["sam@acme.example"] }),
    },
  ]);
  const requester = { stream: "contacts", id: idOf(person), name: null, email: null };
  const ids = (await to("tickets").write(io(), [ticket("t1", { requester }), ticket("t2")])).map(idOf);
  // The trash has one of them already, as after an attempt that ended early.
  tool.tables.tickets.remove(Number(ids[1]));
  const removed = { kind: "removed" };
  expect(
    await to("tickets").remove?.(io(), [
      { id: ids[0] ?? "", key: "t1" },
      { id: ids[1] ?? "", key: "t2" },
    ]),
  ).toEqual([removed, removed]);
  const people = to("contacts");
  tool.fault("DELETE /api/v2/users/{user_id}", "lose answer");
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await people.remove?.(io(), [{ id: idOf(person), key: "p" }])).toEqual([removed]);
  expect(tool.digest()).toBe(before);
  expect(tool.tables.tickets.all()).toEqual([]);
  expect(tool.tables.users.all()).toHaveLength(1);
  expect(tool.breaches.all).toEqual([]);
});

test("an undo keeps a ticket to which people added something, and asks once for each ticket", async () => {
  const { tool, io, to, calls } = await open();
  const tickets = to("tickets");
  const parts = (key: string) => ({ comments: [comment(`c-${key}`, key)] });
  const writes = ["alone", "answered", "quoted"].map((key) => ({ ...ticket(key), parts: parts(key) }));
  const ids = (await tickets.write(io(), writes)).map(idOf);
  const say = (id: string | undefined, html_body: string) => {
    const row = tool.tables.tickets.get(Number(id));
    if (!row) throw new Error("no ticket");
    const said = { author_id: Number(tool.ids.get("admin")), html_body, public: true, createdAt: Date.now() };
    const comments = [...row.data.comments, tool.tables.newComment({ ...said, attachments: [] })];
    tool.tables.tickets.update(row.id, { comments });
  };
  say(ids[1], "<p>Thanks!</p>");
  // A mail program quotes what it answers, with its last line.
  say(ids[2], "<p>Thanks!</p><blockquote>Said in c-quoted Imported. (portage:c-quoted)</blockquote>");
  const what = writes.map(({ key }, index) => ({ id: ids[index] ?? "", key }));
  const asked = calls("GET /api/v2/tickets/{ticket_id}/comments");
  expect(await tickets.remove?.(io(), what)).toMatchObject([
    { kind: "removed" },
    { kind: "kept", code: "others_added" },
    { kind: "kept", code: "others_added" },
  ]);
  expect(calls("GET /api/v2/tickets/{ticket_id}/comments") - asked).toBe(3);
  expect(tool.tables.tickets.live().map(({ id, data }) => [String(id), data.comments.length])).toEqual([
    [ids[1], 3],
    [ids[2], 3],
  ]);
});

test("an undo keeps a ticket and a person whose keys are gone: they may be the copies all the same", async () => {
  const { tool, io, to } = await open();
  const [ticketId = ""] = (await to("tickets").write(io(), [ticket("t")])).map(idOf);
  const sam = helpdesk.contacts.make({ id: "1", name: "Sam", emails: ["sam@acme.example"] });
  const [contactId = ""] = (await to("contacts").write(io(), [{ key: "p", id: null, record: sam }])).map(
    idOf,
  );
  tool.tables.tickets.update(Number(ticketId), { external_id: null });
  tool.tables.users.update(Number(contactId), { external_id: null });
  const kept = { kind: "kept", code: "key_gone" };
  expect(await to("tickets").remove?.(io(), [{ id: ticketId, key: "t" }])).toMatchObject([kept]);
  expect(await to("contacts").remove?.(io(), [{ id: contactId, key: "p" }])).toMatchObject([kept]);
});

test.each(["requester_id", "assignee_id", "collaborator_ids"])(
  "an undo keeps a person who is the %s of a ticket that is not ours, though it is closed",
  async (field) => {
    const { tool, io, to } = await open();
    const sam = helpdesk.contacts.make({ id: "1", name: "Sam", emails: ["sam@acme.example"] });
    const [id = ""] = (await to("contacts").write(io(), [{ key: "p", id: null, record: sam }])).map(idOf);
    const [ticketId] = (await to("tickets").write(io(), [ticket("theirs")])).map(idOf);
    const named = field === "collaborator_ids" ? [Number(id)] : Number(id);
    tool.tables.tickets.update(Number(ticketId), { [field]: named, status: "closed" });
    const what = [{ id, key: "p" }];
    expect(await to("contacts").remove?.(io(), what)).toMatchObject([{ kind: "kept", code: "in_use" }]);
    expect(tool.tables.users.get(Number(id))?.deletedAt).toBeNull();
    tool.tables.tickets.remove(Number(ticketId));
    expect(await to("contacts").remove?.(io(), what)).toEqual([{ kind: "removed" }]);
  },
);

test("options of dropdowns travel as tags, and a value that Zendesk does not know costs only itself", async () => {
  const { tool, io, to } = await open();
  const tickets = to("tickets");
  const field = {
    mark: "m-1",
    label: "Color",
    type: "choice" as const,
    options: [{ value: "r", label: "Red" }],
  };
  const made = await tickets.fieldSetup?.create(io(), field);
  if (made?.kind !== "created") throw new Error(JSON.stringify(made));
  const [option] = made.field.options ?? [];
  const values = (value: string) => ({ customFields: { [made.field.key]: value }, tags: ["Very urgent"] });
  const outcomes = await tickets.write(io(), [
    ticket("a", values(option?.value ?? "")),
    ticket("b", values("Purple")),
  ]);
  const [a, b] = await tickets.read(io(), outcomes.map(idOf));
  expect([a?.customFields, a?.tags]).toEqual([{ [made.field.key]: option?.value }, ["very_urgent"]]);
  expect(b?.customFields).toEqual({});
  expect(outcomes[1]).toMatchObject({
    changes: expect.arrayContaining([expect.objectContaining({ change: "cleared" })]),
  });
  expect(await tickets.fieldSetup?.remove(io(), "m-1")).toMatchObject({ kind: "kept" });
  expect(tool.breaches.all).toEqual([]);
});

test("a field stays if too many tickets have changed to look at them all", async () => {
  const { tool, io, to } = await open();
  const { fieldSetup } = to("tickets");
  const field = { mark: "m-2", label: "Size", type: "number" as const };
  expect(await fieldSetup?.create(io(), field)).toMatchObject({ kind: "created" });
  const [id] = (await to("tickets").write(io(), [ticket("t")])).map(idOf);
  const row = tool.tables.tickets.get(Number(id));
  if (!row) throw new Error("no ticket");
  for (let each = 0; each < 3_000; each += 1) tool.tables.tickets.insert({ data: row.data });
  expect(await fieldSetup?.remove(io(), "m-2")).toMatchObject({ kind: "kept", code: "field_in_use" });
});
