import { expect, test } from "vitest";
import { helpdesk } from "../families/index.ts";
import { richTextOf, rewriteTexts, textReferencesOf } from "./record-texts.ts";

const body = richTextOf(
  "markdown",
  "![shot](/files/7) see [that](https://old.example/tickets/3) and [docs](https://docs.example/)",
  (url) => {
    const [, stream, id] = /\/(files|tickets)\/(\d+)$/.exec(url) ?? [];
    return stream && id ? { stream: stream === "files" ? "attachments" : stream, id } : null;
  },
);
const comment = helpdesk.comments.make({ id: "1", ticketId: "2", visibility: "public", body });

test("a source names the records that its texts link to", () => {
  expect(body.references).toHaveLength(3);
  expect(textReferencesOf(comment)).toEqual([
    { field: "body", stream: "attachments", id: "7" },
    { field: "body", stream: "tickets", id: "3" },
  ]);
});

test("replaces URLs as copies become known, in one pass or two", () => {
  const first = rewriteTexts(comment, ({ stream, id }) =>
    stream === "attachments" ? `https://new.example/a/${id}0` : null,
  );
  expect(first.body.text).toContain("![shot](https://new.example/a/70)");
  expect(first.body.text).toContain("https://old.example/tickets/3");
  const second = rewriteTexts(first, ({ id }) => `https://new.example/t/${id}0`);
  expect(second.body.text).toBe(
    "![shot](https://new.example/a/70) see [that](https://new.example/t/30) and [docs](https://docs.example/)",
  );
  expect(textReferencesOf(second)).toEqual([]);
});
