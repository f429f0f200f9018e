import { expect, test } from "vitest";
import { keyIn, originLine, splitOrigin, withMarker, withOrigin, withoutMarker } from "./provenance.ts";

const record = {
  id: "1",
  createdAt: "1969-07-20T20:17:40.000Z",
  updatedAt: null,
  tags: ["moon"],
  customFields: { cf_1: "kept", color: "grey", empty: null },
  author: { stream: "users", id: null, name: "Ana", email: "ana@example.com" },
};

test("the line names the author, the time and the values that Redmine can't hold", () => {
  const line = originLine({ record, keptFields: new Set(["cf_1"]) });
  expect(line).toBe("by Ana <ana@example.com>; on 1969-07-20 20:17 UTC; Tags: moon; color: grey");
});

test("adding and removing the line leaves the text unchanged", () => {
  for (const text of ["", "One.\n\nTwo.\n", "ends like one\n\n---\n\nImported (portage:other)"])
    expect(splitOrigin(withOrigin(text, "by Ana", "k-1"))).toEqual({ text, key: "k-1" });
});

test("finds the key in a text with CRLF line breaks", () => {
  const held = withOrigin("One.\nTwo.", "", "k:1_a").replaceAll("\n", "\r\n");
  expect(splitOrigin(held)).toEqual({ text: "One.\nTwo.", key: "k:1_a" });
});

test("ignores a key in the middle of a text", () => {
  expect(keyIn("see (portage:k-1) there")).toBeNull();
  expect(splitOrigin("see (portage:k-1)")).toBeNull();
});

test("shortens the text for its key, and cuts no character in two", () => {
  const marked = withMarker(`${"x".repeat(8)}😀😀`, "k", 21);
  expect(marked).toBe(`${"x".repeat(8)} (portage:k)`);
  expect(marked.length).toBeLessThanOrEqual(21);
  expect(withoutMarker(marked)).toBe("x".repeat(8));
  expect(withoutMarker(withMarker(null, "k", 255))).toBeNull();
});
