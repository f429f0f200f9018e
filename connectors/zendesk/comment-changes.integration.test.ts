import type { At, FamilyRecord, Http, Io } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { readStream, sourceStream } from "../../test/vendors/kit/read-source.ts";
import { openZendesk } from "../../test/vendors/zendesk/open.ts";
import type { Zendesk } from "../../test/vendors/zendesk/stand-in.ts";
import type { ZendeskSettings } from "./settings.ts";

const transport = createPlainTransport();
const started: Zendesk[] = [];
afterAll(async () => {
  await Promise.all(started.map((tool) => tool.close()));
  await transport.close();
});

/** A ticket with a public comment, which has a file, and a way to read a stream, past or from now on. */
const open = async () => {
  const { tool, connector, settings } = await openZendesk({});
  started.push(tool);
  const ticket = tool.tables.tickets.live().find(({ data }) => data.comments.length > 2);
  const [comment] = ticket?.data.comments ?? [];
  if (!ticket || !comment) throw new Error("The seed has no ticket with comments.");
  const file = tool.tables.storeAttachment(
    { name: "salaries.txt", mediaType: "text/plain", content: Buffer.from("secret") },
    false,
  );
  const html_body = "<p>The number is 4111.</p>";
  tool.tables.tickets.update(ticket.id, {
    comments: ticket.data.comments.map((each) =>
      each.id === comment.id ? { ...each, html_body, public: true, attachments: [file] } : each,
    ),
  });
  const since = new Date(tool.clock.now() - 1_000);
  const io = (change: (http: Http) => Http = (http) => http): Io<ZendeskSettings> => {
    const made = createTestIo({ manifest: connector.manifest, settings, transport });
    return { ...made, http: change(made.http) };
  };
  const read = async (name: string, at: Partial<At> = {}, change?: (http: Http) => Http) => {
    const stream = sourceStream(connector, name);
    const { records } = await readStream(stream, () => io(change), { size: 7, ...at });
    return records as unknown as readonly (FamilyRecord & {
      readonly visibility: string;
      readonly body: { text: string };
    })[];
  };
  return { tool, io, read, since, connector, ticket: ticket.id, comment: comment.id, file };
};

const listOfTicket = "GET /api/v2/tickets/{ticket_id}/comments";

test("a delta has a comment that was made private, as it is now", async () => {
  const { tool, read, since, ticket, comment } = await open();
  expect(await read("comments", { since })).toEqual([]);
  tool.tables.makePrivate(ticket, comment);
  const changed = await read("comments", { since });
  expect(changed.find(({ id }) => id === `${ticket}-${comment}`)).toMatchObject({
    visibility: "internal",
    kind: "note",
  });
});

test("a delta has a text without what was removed from it, by one call for all changes of a ticket", async () => {
  const { tool, read, since, ticket, comment } = await open();
  for (const words of ["The", "number", "4111"]) tool.tables.redact(ticket, comment, words);
  const before = tool.calls.length;
  const changed = await read("comments", { since, size: 1_000 });
  const asked = tool.calls.slice(before).filter(({ operation }) => operation === listOfTicket);
  expect(asked).toHaveLength(1);
  expect(changed.find(({ id }) => id === `${ticket}-${comment}`)?.body.text).toContain("▇▇▇ ▇▇▇▇▇▇ is ▇▇▇▇.");
});

test("a delta has the empty file in place of the one that was removed, and the file's id is gone", async () => {
  const { tool, read, since, ticket, comment, file, connector, io } = await open();
  tool.tables.redactFile(ticket, comment, file);
  const changed = await read("attachments", { since });
  const files = changed.filter(({ id }) => id.startsWith(`${ticket}-${comment}-`));
  expect(files).toMatchObject([{ fileName: "redacted.txt", size: 0 }]);
  const old = `${ticket}-${comment}-${file}`;
  const attachments = sourceStream(connector, "attachments");
  expect(await attachments.readByIds(io(), [old])).toEqual([]);
  const page = await attachments.readIds?.(io(), { since: null, parentId: null, cursor: null });
  expect(page?.records).not.toContain(old);
});

test("changes of a ticket that is gone bring nothing", async () => {
  const { tool, read, since, ticket, comment } = await open();
  tool.tables.makePrivate(ticket, comment);
  tool.tables.tickets.remove(ticket);
  expect(await read("comments", { since })).toEqual([]);
});

test("a read of everything ends with the comment as it is, even if its old event still shows it public", async () => {
  const { tool, read, ticket, comment } = await open();
  tool.tables.makePrivate(ticket, comment);
  const asItWas = (http: Http): Http => ({
    ...http,
    async send(request) {
      const answer = await http.send(request);
      if (!request.url.includes("incremental/ticket_events")) return answer;
      const text = answer.text.replaceAll('"public":false', '"public":true');
      return { ...answer, text, json: (schema) => schema?.parse(JSON.parse(text)) ?? JSON.parse(text) };
    },
  });
  const all = await read("comments", {}, asItWas);
  const shown = all.filter(({ id }) => id === `${ticket}-${comment}`).map(({ visibility }) => visibility);
  expect(shown).toEqual(["public", "internal"]);
});

test("a check of copies and a count of ids ask for no ticket's comments", async () => {
  const { tool, read, ticket, comment, connector, io } = await open();
  tool.tables.makePrivate(ticket, comment);
  for (const name of ["comments", "attachments"]) {
    await read(name, { copiedOnly: true });
    await sourceStream(connector, name).readIds?.(io(), { since: null, parentId: null, cursor: null });
  }
  expect(tool.calls.filter(({ operation }) => operation === listOfTicket)).toEqual([]);
  expect(tool.breaches.all).toEqual([]);
});
