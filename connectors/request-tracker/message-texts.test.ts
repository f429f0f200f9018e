import { expect, test } from "vitest";
import { joinTexts, shownTexts } from "./message-texts.ts";
import { partRow } from "./parts.ts";

/** A part: its type, its text or the parts in it, and its headers. */
interface Node {
  readonly type: string;
  readonly text?: string;
  readonly file?: string;
  readonly headers?: string;
  readonly parts?: readonly Node[];
}

/** The text that a message of these parts has, in rows as Request Tracker stores them. */
const textOf = (message: Node) => {
  const rows: unknown[] = [];
  const parents = new Map<number, number>();
  const contents = new Map<number, string>();
  const add = ({ type, text, file, headers, parts = [] }: Node, parent: number | null) => {
    const id = rows.length + 1;
    if (parent !== null) parents.set(id, parent);
    if (text !== undefined) contents.set(id, text);
    rows.push({
      id,
      TransactionId: 9,
      ContentType: type,
      ContentLength: text?.length ?? 0,
      Filename: file ?? "",
      Headers: headers ?? "",
    });
    for (const part of parts) add(part, id);
  };
  add(message, null);
  return joinTexts(
    shownTexts(
      rows.map((row) => partRow.parse(row)),
      parents,
    ),
    contents,
  );
};

const plain = (text: string): Node => ({ type: "text/plain", text });
const html = (text: string): Node => ({ type: "text/html", text });
const mixed = (...parts: readonly Node[]): Node => ({ type: "multipart/mixed", parts });
const alternative = (...parts: readonly Node[]): Node => ({ type: "multipart/alternative", parts });

test("a single text stays as it is", () => {
  expect(textOf(plain("a < b"))).toEqual({ format: "plain", text: "a < b" });
  expect(textOf(html("<p>a</p>"))).toEqual({ format: "html", text: "<p>a</p>" });
  expect(textOf(mixed())).toEqual({ format: "plain", text: "" });
});

test("of alternatives only HTML is shown, or the first one without any", () => {
  expect(textOf(alternative(plain("words"), html("<p>words</p>")))).toEqual({
    format: "html",
    text: "<p>words</p>",
  });
  expect(textOf(alternative(plain("one"), plain("other")))).toEqual({ format: "plain", text: "one" });
  const related: Node = { type: "multipart/related", parts: [html("<p>words</p>"), { type: "image/png" }] };
  expect(textOf(alternative(plain("words"), related)).text).toBe("<p>words</p>");
});

test("several texts are all shown, in their order", () => {
  expect(textOf(mixed(plain("first"), { type: "image/png" }, plain("second")))).toEqual({
    format: "plain",
    text: "first\n\nsecond",
  });
  const { format, text } = textOf(mixed(alternative(plain("a"), html("<p>a</p>")), plain("x < y")));
  expect(format).toBe("html");
  expect(text).toContain("<p>a</p>");
  expect(text).toContain("x &#x3C; y");
});

test("a text that is a file is not shown", () => {
  expect(textOf(mixed(plain("words"), { ...plain("log"), file: "log.txt" }))).toEqual({
    format: "plain",
    text: "words",
  });
});

test("a forwarded message is shown with its head", () => {
  const headers = "From: Ada <ada@example.com>\nSubject: Old\n words\nX-Other: no";
  const forwarded: Node = { type: "message/rfc822", parts: [{ ...plain("said"), headers }] };
  expect(textOf(mixed(plain("see below"), forwarded)).text).toBe(
    "see below\n\nFrom: Ada <ada@example.com>\nSubject: Old words\n\nsaid",
  );
});
