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

test("the line says who, when, and what there was no place for", () => {
  const line = originLine({ record, keptFields: new Set(["cf_1"]) });
  expect(line).toBe("by Ana <ana@example.com>; on 1969-07-20 20:17 UTC; Tags: moon; color: grey");
});

test("a text is the same after the line was added and taken off", () => {
  for (const text of ["", "One.\n\nTwo.\n", "ends like one\n\n---\n\nImported (portage:other)"])
    expect(splitOrigin(withOrigin(text, "by Ana", "k-1"))).toEqual({ text, key: "k-1" });
});

test("line breaks of a form do not hide the key", () => {
  const held = withOrigin("One.\nTwo.", "", "k:1_a").replaceAll("\n", "\r\n");
  expect(splitOrigin(held)).toEqual({ text: "One.\nTwo.", key: "k:1_a" });
});

test("a key in the middle of a text is no key", () => {
  expect(keyIn("see (portage:k-1) there")).toBeNull();
  expect(splitOrigin("see (portage:k-1)")).toBeNull();
});

test("a short text gives way to its key, not within a character", () => {
  const marked = withMarker(`${"x".repeat(8)}😀😀`, "k", 21);
  expect(marked).toBe(`${"x".repeat(8)} (portage:k)`);
  expect(marked.length).toBeLessThanOrEqual(21);
  expect(withoutMarker(marked)).toBe("x".repeat(8));
  expect(withoutMarker(withMarker(null, "k", 255))).toBeNull();
});
