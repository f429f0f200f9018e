import type { HttpRequest } from "@portage/connector-kit";
import { expect, test } from "vitest";
import type { z } from "zod";
import {
  ofConversation,
  ofTicket,
  recordAt,
  ticketFieldsOf,
  toComment,
  toContact,
  toTicket,
  urlOf,
} from "./records.ts";
import { settingsAt, vendorOrigins } from "./settings.ts";
import type { IntercomIo } from "./settings.ts";

const settings = { instanceUrl: "https://app.eu.intercom.com/a/inbox/acme/inbox/all", token: "x" };

/** A tool that answers by the beginning of a URL. */
const answering = (answers: Readonly<Record<string, unknown>>): IntercomIo => {
  const send = async ({ url }: HttpRequest) => {
    const body = Object.entries(answers).find(([start]) => url.startsWith(start))?.[1] ?? {};
    return { json: (schema: z.ZodType) => schema.parse(body) };
  };
  return { http: { send }, settings, scope: {}, signal: AbortSignal.any([]) } as unknown as IntercomIo;
};

test.each([
  ["https://app.intercom.com/a/inbox/acme", true],
  ["https://app.eu.intercom.com/a/apps/acme/home", true],
  ["https://app.au.intercom.com/a/inbox/acme/inbox/conversation/1", true],
  ["https://app.intercom.com/", false],
  ["https://app.intercom.com.example/a/inbox/acme", false],
  ["https://app.example/a/inbox/acme", false],
  ["http://app.intercom.com/a/inbox/acme", false],
  ["https://acme.intercom.com/a/inbox/acme", false],
])("%s is an address of a workspace: %s", (instanceUrl, isOne) => {
  expect(settingsAt(vendorOrigins).safeParse({ instanceUrl, token: "x" }).success).toBe(isOne);
});

test("a conversation is known by any page of the inbox that shows it, in this workspace alone", () => {
  const at = (path: string) => recordAt(settings, `https://app.eu.intercom.com/a/${path}`);
  const found = { stream: "tickets", id: "215475827415413" };
  expect(at("inbox/acme/inbox/conversation/215475827415413")).toEqual(found);
  expect(at("inbox/acme/inbox/shared/all/conversation/215475827415413")).toEqual(found);
  expect(at("inbox/acme/inbox/admin/8857114/conversation/215475827415413")).toEqual(found);
  expect(at("inbox/other/inbox/conversation/215475827415413")).toBeNull();
  expect(at("inbox/acme/inbox/conversation/0")).toBeNull();
  expect(recordAt(settings, "https://app.intercom.com/a/inbox/acme/inbox/conversation/1")).toBeNull();
  for (const id of ["7", "t7"]) expect(recordAt(settings, urlOf("tickets")(settings, { id }))?.id).toBe(id);
});

test("a contact's tags have names, and its dates are moments", async () => {
  const io = answering({
    tags: { data: [{ id: "1", name: "vip" }] },
    data_attributes: {
      data: [
        { name: "renewal", data_type: "date", custom: true },
        { name: "seats", data_type: "integer", custom: true },
        { name: "city", data_type: "string", custom: false },
      ],
    },
  });
  const contact = await toContact(
    {
      id: "66",
      email: "ana@acme.example",
      tags: { data: [{ id: "1" }, { id: "2" }] },
      custom_attributes: { renewal: 1_740_700_800, seats: 12, nothing: null, odd: { a: 1 } },
    },
    io,
  );
  expect(contact).toMatchObject({
    name: "ana@acme.example",
    tags: ["vip"],
    customFields: { renewal: "2025-02-28T00:00:00.000Z", seats: 12 },
  });
});

const conversation = { id: "7", state: "open", created_at: 1, updated_at: 2 };

test("a conversation without a title is called by the first words of its subject or message", async () => {
  const io = answering({ admins: { admins: [] } });
  const subject = async (row: object) =>
    (await toTicket(vendorOrigins)(ofConversation({ ...conversation, ...row }), io)).subject;
  expect(await subject({ title: "Anvils", source: { body: "<p>Hello</p>" } })).toBe("Anvils");
  expect(await subject({ source: { subject: "<p>Re: anvils</p>", body: "<p>Hello</p>" } })).toBe(
    "Re: anvils",
  );
  expect(await subject({ source: { subject: "", body: "<p>Hello</p><p>there</p>" } })).toBe("Hello there");
  expect(await subject({ source: null })).toBe("Conversation 7");
  expect((await subject({ source: { body: `<p>${"long ".repeat(100)}</p>` } })).length).toBeLessThanOrEqual(
    120,
  );
});

test("bots are named and have no record; an assignee who left is none", async () => {
  const io = answering({ admins: { admins: [{ id: "5" }] } });
  const ticket = await toTicket(vendorOrigins)(
    ofConversation({
      ...conversation,
      admin_assignee_id: 6,
      source: { type: "conversation", body: "<p>Hi</p>", author: { type: "bot", id: "9", name: "Operator" } },
    }),
    io,
  );
  expect(ticket.author).toEqual({ stream: null, id: null, name: "Operator", email: null });
  expect(ticket.assignee).toBeNull();
  expect(ticket.channel).toBe("chat");
});

test.each([
  ["comment", "public"],
  ["close", "public"],
  ["note", "internal"],
  ["note_and_reopen", "internal"],
  ["something_new", "internal"],
])("a part of the type %s is %s", async (part_type, visibility) => {
  const part = { id: "1", part_type, body: "<p>Said</p>" };
  expect(await toComment(vendorOrigins)({ ticketId: "7", part }, answering({}))).toMatchObject({
    visibility,
  });
});

test("an image of Intercom's is an attachment, by its place in the text; another's stays a link", async () => {
  const ours = "https://downloads.intercomcdn.com/i/o/1/a/b.png?expires=1&signature=s";
  const theirs = "https://images.example/c.png";
  const body = `<p><img src="${theirs}"><img src="${ours.replace("&", "&amp;")}"></p>`;
  const comment = await toComment(vendorOrigins)(
    { ticketId: "7", part: { id: "1", part_type: "comment", body } },
    answering({}),
  );
  expect(comment.body.text).toBe(`<p><img src="${theirs}"><img src="intercom-image:7-1-i1"></p>`);
  expect(comment.body.references).toEqual([
    { kind: "image", url: theirs, to: null },
    { kind: "image", url: "intercom-image:7-1-i1", to: { stream: "attachments", id: "7-1-i1" } },
  ]);
});

test("a ticket's attributes are typed by its type, a conversation's by what they hold", async () => {
  const attributes = [
    { name: "Due", data_type: "datetime" },
    { name: "_default_title_", data_type: "string", default: true },
  ];
  const io = answering({
    ticket_types: { data: [{ ticket_type_attributes: { ticket_type_attributes: attributes } }] },
    "conversations/search": {
      conversations: [{ ...conversation, custom_attributes: { seats: 3, vip: true } }],
    },
    "tickets/search": { tickets: [{ id: "8", ticket_attributes: { _default_title_: "A", Due: 60 } }] },
    admins: { admins: [] },
  });
  expect((await ticketFieldsOf(io)).map(({ key, type }) => [key, type])).toEqual([
    ["Due", "moment"],
    ["seats", "number"],
    ["vip", "boolean"],
  ]);
  const ticket = await toTicket(vendorOrigins)(
    ofTicket({ id: "8", ticket_attributes: { _default_title_: "A", Due: 60 } }),
    io,
  );
  expect(ticket).toMatchObject({ id: "t8", subject: "A", customFields: { Due: "1970-01-01T00:01:00.000Z" } });
});
