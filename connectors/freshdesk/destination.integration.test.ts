import {
  checksumOf,
  type DestinationStream,
  type FamilyRecord,
  helpdesk,
  type Io,
  type Outcome,
  splitOrigin,
  withOrigin,
  type Write,
} from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, describe, expect, test } from "vitest";
import { originsOf } from "../../test/vendors/freshdesk/origins.ts";
import {
  type Freshdesk,
  type FreshdeskOptions,
  startFreshdesk,
} from "../../test/vendors/freshdesk/stand-in.ts";
import { createFreshdesk } from "./index.ts";
import type { Settings } from "./settings.ts";

const transport = createPlainTransport();
const started: Freshdesk[] = [];
afterAll(async () => {
  await Promise.all(started.map((tool) => tool.close()));
  await transport.close();
});

type Change = (io: Io<Settings>) => Io<Settings>;

/** An account with the field for keys, and how to write to it. */
const open = async (options: FreshdeskOptions = {}, change: Change = (io) => io) => {
  const tool = await startFreshdesk({ quotas: "off", sizes: null, ...options });
  started.push(tool);
  const settings = { instanceUrl: tool.url, token: tool.credentials.apiKey };
  const connector = createFreshdesk(originsOf(tool));
  const io = () => change(createTestIo({ ...connector, settings, transport, retry: { firstDelayMs: 5 } }));
  const to = (name: string): DestinationStream<FamilyRecord, Settings> => {
    const found = (connector.destination?.helpdesk ?? []).find(({ stream }) => stream.name === name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  const before = tool.digest();
  await to("tickets").fieldSetup?.createKeyField?.(io(), "m-key");
  const write = async (stream: string, record: FamilyRecord, more: Partial<Write<FamilyRecord>> = {}) => {
    const [outcome] = await to(stream).write(io(), [
      { key: `${stream}-${record.id}`, record, id: null, ...more },
    ]);
    if (!outcome) throw new Error("no outcome");
    return outcome;
  };
  return { tool, io, to, write, before, me: String(tool.ids.get("admin")) };
};

const idOf = (outcome: Outcome): string => {
  if (!("id" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.id;
};

const who = (stream: string, id: string | null, name = "Ann Author") => ({
  stream,
  id,
  name,
  email: "ann@acme.example",
});
const contact = (more: object = {}) =>
  helpdesk.contacts.make({ id: "1", name: "Ann Author", emails: ["Ann@acme.example"], ...more });
const ticket = (more: object = {}) =>
  helpdesk.tickets.make({
    id: "1",
    subject: "The anvil rings",
    description: { format: "html", text: "<p>It rings.</p>", references: [] },
    status: "Solved",
    statusKind: "solved",
    createdAt: "2019-03-04T05:06:07.000Z",
    ...more,
  });
const comment = (ticketId: string, more: object = {}) =>
  helpdesk.comments.make({
    id: "1",
    ticketId,
    visibility: "public",
    body: { format: "html", text: "<p>Hit it.</p>", references: [] },
    author: who("contacts", null),
    createdAt: "2019-03-04T06:00:00.000Z",
    ...more,
  });
const attachment = (parent: { stream: string; id: string }, more: object = {}) =>
  helpdesk.attachments.make({ id: "1", parent, fileName: "ring.wav", contentType: "audio/wav", ...more });
const file = (text: string, size: number | null = text.length) => ({
  file: {
    name: "ring.wav",
    contentType: "audio/wav",
    size,
    async *open() {
      yield Buffer.from(text);
    },
  },
});

const expectLawful = ({ breaches, lies, counted }: Freshdesk) => {
  expect([breaches.all, lies, counted.mails]).toEqual([[], [], 0]);
};

describe("people", () => {
  test("a contact whose address an agent or contact has is matched, and never written twice", async () => {
    const { tool, write, me } = await open();
    const first = await write("contacts", contact());
    expect(first.kind).toBe("written");
    const second = await write("contacts", contact({ id: "2", name: "A. Author" }));
    expect(second).toEqual({ kind: "matched", id: idOf(first) });
    const admin = await write("contacts", contact({ id: "3", emails: ["ada@desk.example"] }));
    expect(admin).toEqual({ kind: "matched", id: me });
    expect(tool.tables.people.live()).toHaveLength(2);
    expectLawful(tool);
  });

  test("a contact is who has its main address, as a main or a further one; a further address matches nobody", async () => {
    const { tool, write, io, to } = await open();
    const more = (id: string, ...emails: string[]) => contact({ id, name: `Person ${id}`, emails });
    const ann = idOf(await write("contacts", more("1", "ann@acme.example", "old-ann@acme.example")));
    expect(await write("contacts", more("2", "old-ann@acme.example"))).toEqual({ kind: "matched", id: ann });
    const record = more(
      "3",
      "bob@acme.example",
      "bob@home.example",
      "ann@acme.example",
      "OLD-ann@acme.example",
    );
    const bob = await write("contacts", record);
    expect(bob).toMatchObject({
      kind: "written",
      record: { emails: ["bob@acme.example", "bob@home.example"] },
      changes: expect.arrayContaining([expect.objectContaining({ field: "emails" })]) as unknown,
    });
    const held = () => tool.tables.people.get(Number(idOf(bob)))?.data;
    expect(held()).toMatchObject({
      other_emails: ["bob@home.example"],
      description: expect.stringContaining("ann@acme.example, OLD-ann@acme.example") as unknown,
    });
    expect(
      await write("contacts", { ...record, name: "Bobby" } as FamilyRecord, { id: idOf(bob) }),
    ).toMatchObject({
      kind: "written",
      record: { name: "Bobby", emails: ["bob@acme.example", "bob@home.example"] },
    });
    // A changed main address that somebody else has stays out.
    const stolen = more("3", "ann@acme.example", "bob@home.example");
    expect(await write("contacts", stolen, { id: idOf(bob) })).toMatchObject({
      kind: "rejected",
      code: "conflict",
    });
    expect((await to("contacts").read(io(), [ann]))[0]).toMatchObject({ name: "Person 1" });
    expect(tool.tables.people.live()).toHaveLength(3);
    expectLawful(tool);
  });

  test("a contact of whose creation the answer was lost is changed, not doubled, if it is sent again", async () => {
    const { tool, write, io, to } = await open();
    tool.fault("POST /contacts", "lose answer");
    expect((await write("contacts", contact())).kind).toBe("unknown");
    const found = await to("contacts").find(io(), [{ key: "contacts-1", since: new Date() }]);
    const again = await write("contacts", contact());
    expect(again).toMatchObject({ kind: "written", id: found.get("contacts-1")?.[0] });
    expect(tool.tables.people.live()).toHaveLength(2);
    expectLawful(tool);
  });

  test("agents are matched by address and never invited", async () => {
    const { tool, write, me } = await open();
    const user = (email: string) => helpdesk.users.make({ id: "1", name: "Ada", email });
    expect(await write("users", user("ADA@desk.example"))).toEqual({ kind: "matched", id: me });
    expect(await write("users", user("new@desk.example"))).toMatchObject({
      kind: "rejected",
      code: "would_notify",
    });
    expect(tool.tables.people.live()).toHaveLength(1);
  });

  test("a company of the same name is matched; a domain that another one has is left out, and declared", async () => {
    const { tool, write } = await open();
    const company = (id: string, name: string, domains: string[]) =>
      helpdesk.organizations.make({ id, name, domains });
    const acme = await write("organizations", company("1", "Acme", ["acme.example"]));
    expect(await write("organizations", company("2", "ACME ", []))).toEqual({
      kind: "matched",
      id: idOf(acme),
    });
    const other = await write(
      "organizations",
      company("3", "Other", ["acme.example", "other.example", "no domain"]),
    );
    expect(other).toMatchObject({ changes: [{ field: "domains", becomes: ["other.example"] }] });
    expect(tool.tables.companies.live()).toHaveLength(2);
    expectLawful(tool);
  });
});

describe("tickets", () => {
  test("messages are notes by their authors, and the text names original author and time", async () => {
    const { tool, write, me } = await open();
    const ann = idOf(await write("contacts", contact()));
    const id = idOf(
      await write("tickets", ticket({ requester: who("contacts", ann), author: who("contacts", ann) })),
    );
    const byAnn = await write("comments", comment(id, { author: who("contacts", ann) }));
    expect(byAnn).toMatchObject({ kind: "written", changes: [] });
    const byNobody = await write("comments", comment(id, { id: "2", visibility: "internal" }));
    expect(byNobody).toMatchObject({ changes: [{ field: "author", becomes: { stream: "users", id: me } }] });
    const data = tool.tables.tickets.get(Number(id))?.data;
    expect(data).toMatchObject({ status: 4, requester_id: Number(ann), source: 2 });
    expect(data?.description).toContain(
      "Imported. by Ann Author &lt;ann@acme.example&gt;; on 2019-03-04 05:06 UTC",
    );
    expect(
      data?.conversations.map(({ user_id: user, private: hidden, source }) => [user, hidden, source]),
    ).toEqual([
      [Number(ann), false, 2],
      [Number(me), true, 2],
    ]);
    expectLawful(tool);
  });

  test("what Freshdesk refuses beside the ticket is left out, and declared; the ticket is there once", async () => {
    const { tool, write } = await open();
    const ann = idOf(await write("contacts", contact()));
    const acme = idOf(await write("organizations", helpdesk.organizations.make({ id: "1", name: "Acme" })));
    const outcome = await write(
      "tickets",
      ticket({ requester: who("contacts", ann), author: null, organizationId: acme, type: "Anvil" }),
    );
    expect(outcome).toMatchObject({ kind: "written" });
    const declared = "changes" in outcome ? (outcome.changes ?? []).map(({ field }) => field) : [];
    expect(declared).toEqual(expect.arrayContaining(["organizationId", "type"]));
    expect(tool.tables.tickets.live()).toHaveLength(1);
    expectLawful(tool);
  });

  test("an internal ticket is one of the import's account, so that no customer sees it", async () => {
    const { tool, write, me } = await open();
    const ann = idOf(await write("contacts", contact()));
    const acme = idOf(await write("organizations", helpdesk.organizations.make({ id: "1", name: "Acme" })));
    const asked = { requester: who("contacts", ann), author: who("contacts", ann), organizationId: acme };
    const hidden = await write("tickets", ticket({ ...asked, visibility: "internal" }));
    const data = tool.tables.tickets.get(Number(idOf(hidden)))?.data;
    expect(data).toMatchObject({ requester_id: Number(me), company_id: null });
    expect(data?.description).toContain("Requester: Ann Author");
    expect(hidden).toMatchObject({
      changes: expect.arrayContaining([expect.objectContaining({ field: "requester" })]) as unknown,
    });
    // Agents see every ticket.
    const byAgent = { requester: who("users", me), author: who("contacts", ann), visibility: "internal" };
    const own = await write("tickets", ticket({ id: "2", ...byAgent }));
    expect(own).toMatchObject({ record: { requester: { id: me } } });
    expectLawful(tool);
  });

  test("a ticket that became internal is not changed: its requester would see the change", async () => {
    const { tool, write } = await open();
    const ann = idOf(await write("contacts", contact()));
    const asked = { requester: who("contacts", ann), author: null };
    const id = idOf(await write("tickets", ticket(asked)));
    const now = ticket({ ...asked, visibility: "internal", subject: "Between us" });
    expect(await write("tickets", now, { id })).toMatchObject({ kind: "rejected", field: "visibility" });
    expect(tool.tables.tickets.get(Number(id))?.data.subject).toBe("The anvil rings");
    const hidden = idOf(await write("tickets", { ...now, id: "2" }));
    expect((await write("tickets", { ...now, id: "2" }, { id: hidden })).kind).toBe("written");
    expectLawful(tool);
  });

  test("a change that a person made is known as one", async () => {
    const { tool, write, io, to } = await open();
    const id = idOf(await write("tickets", ticket()));
    expect(await to("tickets").isUntouched?.(io(), [id])).toEqual([true]);
    expect((await write("tickets", ticket({ subject: "It rang" }), { id })).kind).toBe("written");
    expect(await to("tickets").isUntouched?.(io(), [id])).toEqual([true]);
    tool.tables.tickets.update(Number(id), { status: 5 });
    expect(await to("tickets").isUntouched?.(io(), [id])).toEqual([false]);
    expectLawful(tool);
  });

  test("a change of a custom field, the requester or the company is known as one, on every copy", async () => {
    const { tool, write, io, to } = await open();
    const made = await to("tickets").fieldSetup?.create(io(), {
      mark: "m-size",
      label: "Size",
      type: "text",
    });
    if (made?.kind !== "created") throw new Error(JSON.stringify(made));
    const size = made.field.key;
    const acme = idOf(await write("organizations", helpdesk.organizations.make({ id: "1", name: "Acme" })));
    const ann = idOf(await write("contacts", contact({ organizationId: acme })));
    const bob = idOf(await write("contacts", contact({ id: "2", emails: ["bob@acme.example"] })));
    const asked = { requester: who("contacts", ann), author: null, customFields: { [size]: "XL" } };
    // Freshdesk adds the requester's company to a ticket without one.
    for (const [index, organizationId] of [acme, null].entries()) {
      const record = ticket({ ...asked, id: String(index), organizationId });
      const id = idOf(await write("tickets", record));
      const isUntouched = async () => (await to("tickets").isUntouched?.(io(), [id]))?.[0];
      expect(await isUntouched()).toBe(true);
      const held = tool.tables.tickets.get(Number(id))?.data;
      if (!held) throw new Error("no ticket");
      const edits = [
        { custom_fields: { ...held.custom_fields, [size]: "S" } },
        { custom_fields: { ...held.custom_fields, [size]: null } },
        { requester_id: Number(bob) },
        { company_id: index === 0 ? null : 1 },
        { source: 3 },
      ];
      for (const edit of edits) {
        tool.tables.tickets.update(Number(id), edit);
        expect([edit, await isUntouched()]).toEqual([edit, false]);
        tool.tables.tickets.update(Number(id), held);
        expect(await isUntouched()).toBe(true);
      }
      await write("tickets", { ...record, subject: "It rang" } as FamilyRecord, { id });
      expect(await isUntouched()).toBe(true);
    }
    expectLawful(tool);
  });

  test("a copy of an earlier release is no edited one", async () => {
    const { tool, write, io, to } = await open();
    const id = idOf(await write("tickets", ticket({ tags: ["b", "a"] })));
    const held = tool.tables.tickets.get(Number(id))?.data;
    const own = splitOrigin(held?.description, "html");
    if (!held || !own) throw new Error("no ticket");
    const { subject, status, priority, type, responder_id: responder, group_id: group } = held;
    const once = [subject, status, priority, type, responder, group, ["a", "b"]];
    const description = withOrigin(own.text, "html", "", own.key, checksumOf(own.key, own.text, once));
    tool.tables.tickets.update(Number(id), { description });
    expect(await to("tickets").isUntouched?.(io(), [id])).toEqual([true]);
    tool.tables.tickets.update(Number(id), { description, status: 5 });
    expect(await to("tickets").isUntouched?.(io(), [id])).toEqual([false]);
  });

  test("a note that became internal is not changed: customers would still see it", async () => {
    const { tool, write } = await open();
    const id = idOf(await write("tickets", ticket()));
    const note = idOf(await write("comments", comment(id)));
    expect(await write("comments", comment(id, { visibility: "internal" }), { id: note })).toMatchObject({
      kind: "rejected",
      field: "visibility",
    });
    expect((await write("comments", comment(id), { id: note })).kind).toBe("written");
    expectLawful(tool);
  });
});

describe("files", () => {
  test("belong to their ticket or note, keep what a person wrote there, and stay known after a change", async () => {
    const { tool, write, io, to } = await open();
    const id = idOf(await write("tickets", ticket()));
    const note = idOf(await write("comments", comment(id)));
    const onTicket = idOf(await write("attachments", attachment({ stream: "tickets", id }), file("ding")));
    const row = tool.tables.tickets.get(Number(id));
    const [said] = row?.data.conversations ?? [];
    if (!row || !said) throw new Error("no note");
    const edited = { ...said, body: said.body.replace("Hit it.", "Hit it hard.") };
    tool.tables.tickets.update(row.id, { conversations: [edited] });
    const parent = { stream: "comments", id: note };
    const onNote = idOf(await write("attachments", attachment(parent, { id: "2" }), file("dong")));
    expect(tool.tables.tickets.get(row.id)?.data.conversations[0]?.body).toContain("Hit it hard.");
    await write("tickets", ticket({ subject: "It rang" }), { id });
    const asked = [
      { key: "attachments-1", parentId: id, parentStream: "tickets", since: new Date(0) },
      { key: "attachments-2", parentId: note, parentStream: "comments", since: new Date(0) },
    ];
    expect([...(await to("attachments").find(io(), asked)).values()]).toEqual([[onTicket], [onNote]]);
    expect(await to("tickets").isUntouched?.(io(), [id])).toEqual([true]);
    expectLawful(tool);
  });

  test("that are too large are refused: alone before they are sent, together by Freshdesk", async () => {
    const { tool, write } = await open();
    const id = idOf(await write("tickets", ticket()));
    const parent = { stream: "tickets", id };
    const large = await write("attachments", attachment(parent), file("", 21 * 1024 * 1024));
    expect(large).toMatchObject({ kind: "rejected", code: "too_large" });
    const half = "x".repeat(11 * 1024 * 1024);
    expect((await write("attachments", attachment(parent, { id: "2" }), file(half))).kind).toBe("written");
    expect(await write("attachments", attachment(parent, { id: "3" }), file(half))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("20 MB") as string,
    });
    expectLawful(tool);
  });
});

describe("fields", () => {
  test("of every kind hold values; what a field can't hold stays in the text", async () => {
    const { tool, write, io, to } = await open();
    const create = async (label: string, type: "number" | "choice") => {
      const options = type === "choice" ? [{ value: "r", label: "Red" }] : [];
      const made = await to("tickets").fieldSetup?.create(io(), { mark: `m-${label}`, label, type, options });
      if (made?.kind !== "created") throw new Error(JSON.stringify(made));
      return made.field;
    };
    const [weight, colour] = [await create("Weight", "number"), await create("Colour", "choice")];
    expect(colour.options).toEqual([{ value: "Red", label: "Red" }]);
    // The field for keys is nothing that people match or move on.
    const offered = (await to("tickets").customFields?.(io())) ?? [];
    expect(offered.map(({ label }) => label)).toEqual(["Weight", "Colour"]);
    const id = idOf(
      await write(
        "tickets",
        ticket({ customFields: { [weight.key]: 1.25, [colour.key]: "Green", odd: "x" } }),
      ),
    );
    const data = tool.tables.tickets.get(Number(id))?.data;
    expect(data?.custom_fields).toMatchObject({ [weight.key]: 1.25 });
    expect(data?.custom_fields).not.toHaveProperty(colour.key);
    expect(data?.description).toContain(`${colour.key}: Green; odd: x`);
    expectLawful(tool);
  });

  test("are offered to administrators only", async () => {
    const { tool, io, to } = await open();
    tool.forbid("GET /admin/ticket_fields");
    expect(await to("tickets").fieldSetup?.creatable(io())).toMatchObject({
      types: [],
      why: expect.stringContaining("administrators") as string,
    });
  });

  test("without the field for keys no ticket is written", async () => {
    const { tool, write } = await open();
    for (const { id } of tool.tables.fields.live()) tool.tables.fields.purge(id);
    await expect(write("tickets", ticket())).rejects.toMatchObject({ code: "missing_custom_field" });
    expect(tool.tables.tickets.live()).toEqual([]);
  });
});

describe("undo", () => {
  test("keeps a ticket and a note to which people added something", async () => {
    const { tool, io, to, write, me } = await open();
    const removal = async (stream: string, id: string, key: string) =>
      (await to(stream).remove?.(io(), [{ id, key }]))?.[0];
    const tickets = [];
    for (const id of ["1", "2", "3"]) tickets.push(idOf(await write("tickets", ticket({ id }))));
    const [answered = "", filed = "", ours = ""] = tickets;
    const note = idOf(await write("comments", comment(ours)));
    await write("attachments", attachment({ stream: "tickets", id: ours }), file("ring"));
    await write("attachments", attachment({ stream: "comments", id: note }, { id: "2" }), file("ring"));
    const { newConversation, storeFile, tickets: rows } = tool.tables;
    const content = Buffer.from("theirs");
    const theirs = () => storeFile({ name: "theirs.txt", mediaType: "text/plain", content });
    const said = { body: "<p>Thanks!</p>", incoming: true, private: false, user_id: Number(me), source: 0 };
    const reply = newConversation({ ...said, createdAt: Date.now(), attachments: [] });
    rows.update(Number(answered), { conversations: [reply] });
    rows.update(Number(filed), { attachments: [theirs()] });
    const kept = { kind: "kept", code: "others_added" };
    expect(await removal("tickets", answered, "tickets-1")).toMatchObject(kept);
    expect(await removal("tickets", filed, "tickets-2")).toMatchObject(kept);
    const before = rows.get(Number(ours))?.data.conversations ?? [];
    const added = before.map((each) => ({ ...each, attachments: [...each.attachments, theirs()] }));
    rows.update(Number(ours), { conversations: added });
    expect(await removal("comments", note, "comments-1")).toMatchObject(kept);
    expect(await removal("tickets", ours, "tickets-3")).toMatchObject(kept);
    rows.update(Number(ours), { conversations: before });
    expect(await removal("comments", note, "comments-1")).toMatchObject({ kind: "removed" });
    expect(await removal("tickets", ours, "tickets-3")).toMatchObject({ kind: "removed" });
  });

  test("leaves the account as it was", async () => {
    const { tool, write, io, to, before } = await open();
    const acme = idOf(await write("organizations", helpdesk.organizations.make({ id: "1", name: "Acme" })));
    const ann = idOf(await write("contacts", contact({ organizationId: acme })));
    const group = idOf(await write("groups", helpdesk.groups.make({ id: "1", name: "Smiths" })));
    const id = idOf(await write("tickets", ticket({ requester: who("contacts", ann), groupId: group })));
    const note = idOf(await write("comments", comment(id)));
    await write("attachments", attachment({ stream: "comments", id: note }), file("ding"));
    const remove = async (stream: string, copy: string) =>
      (await to(stream).remove?.(io(), [{ id: copy, key: `${stream}-1` }]))?.[0]?.kind;
    // The ticket is still there, and the contact is in the company.
    expect(await remove("contacts", ann)).toBe("kept");
    expect(await remove("organizations", acme)).toBe("kept");
    expect((await to("tickets").fieldSetup?.remove(io(), "m-key"))?.kind).toBe("kept");
    for (const [stream, copy] of [
      ["comments", note],
      ["tickets", id],
      ["groups", group],
      ["contacts", ann],
      ["organizations", acme],
    ] as const)
      expect([stream, await remove(stream, copy)]).toEqual([stream, "removed"]);
    expect((await to("tickets").fieldSetup?.remove(io(), "m-key"))?.kind).toBe("removed");
    expect(tool.digest()).toBe(before);
    expectLawful(tool);
  });
});

/** Sends other requests than the connector does. */
const sending =
  (change: (request: Parameters<Io["http"]["send"]>[0]) => Parameters<Io["http"]["send"]>[0]): Change =>
  (io) => ({ ...io, http: { ...io.http, send: (request) => io.http.send(change(request)) } });

test.each([
  [
    "replies",
    sending((request) =>
      request.url.endsWith("/notes")
        ? {
            ...request,
            url: request.url.replace("/notes", "/reply"),
            json: { body: (request.json as { body: string }).body },
          }
        : request,
    ),
    "no-reply",
  ],
  [
    "names people to notify",
    sending((request) =>
      request.url.endsWith("/notes")
        ? { ...request, json: { ...(request.json as object), notify_emails: ["ann@acme.example"] } }
        : request,
    ),
    "quiet-notes",
  ],
  [
    "sends tickets as mails",
    sending((request) =>
      request.url === "tickets" && request.method === "POST"
        ? { ...request, url: "tickets/outbound_email" }
        : request,
    ),
    "no-reply",
  ],
  [
    "leaves the priority to Freshdesk",
    sending((request) => {
      if (request.url !== "tickets" || request.method !== "POST") return request;
      const { priority: _, ...json } = request.json as { priority: number };
      return { ...request, json };
    }),
    "create-complete",
  ],
  [
    "looks keys up by search",
    sending((request) =>
      request.url === "tickets" && (request.method ?? "GET") === "GET"
        ? { url: "search/tickets", query: { query: `"cf_import_key:'x'"` } }
        : request,
    ),
    "find-by-list",
  ],
] as const)("a connector that %s is caught", async (_, change, law) => {
  const { tool, write, io, to } = await open({}, change);
  const outcome = await write("tickets", ticket()).catch(() => null);
  const id = outcome && "id" in outcome ? outcome.id : "1";
  await write("comments", comment(id)).catch(() => null);
  await to("tickets")
    .find(io(), [{ key: "x", since: new Date(0) }])
    .catch(() => null);
  expect(tool.breaches.of(law).length).toBeGreaterThan(0);
});
