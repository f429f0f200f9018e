import { expect, test } from "vitest";
import { addressBook } from "./addresses.ts";

const settings = { instanceUrl: "https://acme.example/desk/" };

const book = addressBook({
  comments: {
    at: "/tickets/:ticketId#note-:noteId",
    id: ({ ticketId, noteId }) => `${ticketId}-${noteId}`,
    parts: ({ id }) => ({ ticketId: id.split("-")[0] ?? "", noteId: id.split("-")[1] ?? "" }),
  },
  tickets: { at: ["/tickets/:id", "/old/show.html?id=:id"] },
  pages: { at: "/wiki/:title", id: ({ title = "" }) => title, parts: ({ id }) => ({ title: id }) },
  queues: "/search?query=Queue%20%3D%20:id",
});

const records = [
  ["comments", "7-12", "/tickets/7#note-12"],
  ["tickets", "7", "/tickets/7"],
  ["pages", "Café 100%", "/wiki/Caf%C3%A9%20100%25"],
  ["queues", "3", "/search?query=Queue%20%3D%203"],
] as const;

test.each(records)("%s: the address of a record leads back to it", (stream, id, path) => {
  const url = book.urlOf(stream)(settings, { id });
  expect(url).toBe(`https://acme.example/desk${path}`);
  expect(book.recordAt(settings, url)).toEqual({ stream, id });
});

test("knows other addresses of a record, with other parameters too", () => {
  for (const path of ["tickets/7/", "tickets/7?tab=1#bottom", "old/show.html?x=1&id=7"])
    expect(book.recordAt(settings, `https://acme.example/desk/${path}`)).toEqual({
      stream: "tickets",
      id: "7",
    });
});

test.each([
  "tickets/new",
  "tickets/0",
  "tickets/7x",
  "tickets/1234567890",
  "tickets/%37",
  "tickets/7/edit",
  "old/show.html?id=7&id=8",
  "old/show_html?id=7",
  "wiki/%E0%A4%A",
  "wiki/a/b",
  "search?query=Queue%20%3D%203%20OR%20id%20%3E%200",
])("%s is no record", (path) => {
  expect(book.recordAt(settings, `https://acme.example/desk/${path}`)).toBeNull();
});

test("a link in a text may be relative to the instance, and may lead elsewhere", () => {
  expect(book.targetOf(settings, "tickets/7")).toEqual({ stream: "tickets", id: "7" });
  expect(book.targetOf(settings, "/desk/tickets/7")).toEqual({ stream: "tickets", id: "7" });
  for (const url of [
    "/tickets/7",
    "//elsewhere.example/desk/tickets/7",
    "mailto:a@acme.example",
    "https://[",
  ])
    expect(book.targetOf(settings, url), url).toBeNull();
});

test("a tool with longer numbers says so", () => {
  const long = addressBook({ tickets: "/tickets/:id" }, 12);
  const at = (number: string) =>
    long.recordAt({ instanceUrl: "https://acme.example" }, `https://acme.example/tickets/${number}`);
  expect([at("123456789012"), at("1234567890123")]).toEqual([
    { stream: "tickets", id: "123456789012" },
    null,
  ]);
});
