import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { originLine, strangeFields } from "./origin-line.ts";
import { matchesChecksum, checksumOf, splitOrigin, withOrigin } from "./origin.ts";

const formats = ["plain", "html", "markdown", "textile"] as const;
const anyKey = fc.stringMatching(/^[a-z0-9:_-]{1,64}$/);
const ana = { stream: "users", id: null, name: "Ana", email: "ana@example.com" };

const record = {
  createdAt: "1969-07-20T20:17:40.000Z",
  updatedAt: null,
  tags: ["moon"],
  customFields: { cf_1: "kept", color: "grey", empty: null },
};

test("the line names the author, the time and the values that the tool can't hold", () => {
  const customFields = strangeFields(record, ["cf_1"]);
  expect(originLine({ ...record, customFields, author: ana })).toBe(
    "by Ana <ana@example.com>; on 1969-07-20 20:17 UTC; Tags: moon; color: grey",
  );
});

test("the line shows labelled people, moments and lists, in their order, and nothing that is empty", () => {
  const who = { ...ana, name: "Zoë\n Müller", email: "zoe@old.example" };
  const also = { Author: who, Tags: ["a", "b"], Due: "1969-01-02T03:04:05.000Z", Type: null, Path: [] };
  expect(originLine({ also })).toBe(
    "Author: Zoë Müller <zoe@old.example>; Tags: a, b; Due: 1969-01-02 03:04 UTC",
  );
  expect(originLine({})).toBe("");
});

describe.each(formats)("in %s", (format) => {
  test("adding and removing the line leaves the text unchanged", () => {
    fc.assert(
      fc.property(anyKey, fc.string(), (key, any) => {
        const text = any.replaceAll("\r\n", "\n");
        expect(splitOrigin(withOrigin(text, format, "by Ana", key), format)).toEqual({
          text,
          key,
          checksum: null,
        });
      }),
    );
    for (const text of ["", "ends like one\n\n---\n\nImported (portage:other)"])
      expect(splitOrigin(withOrigin(text, format, "", "k"), format)?.text).toBe(text);
    expect(splitOrigin("see (portage:k-1)", format)).toBeNull();
    expect(splitOrigin(null, format)).toBeNull();
  });

  test("a copy matches its checksum, also after a form changed the line breaks", () => {
    for (const text of ["", "One.\nTwo.\n", "One.\r\nTwo."]) {
      const held = withOrigin(text, format, "by Ana", "k-1", checksumOf("k-1", text, ["a", 1]));
      expect(matchesChecksum(held, format, ["a", 1])).toBe(true);
      expect(matchesChecksum(held.replaceAll(/\r?\n/g, "\r\n"), format, ["a", 1])).toBe(true);
    }
  });

  test("a copy of an earlier release matches the form of its fields at that time", () => {
    const old = withOrigin("One.", format, "", "k-1", checksumOf("k-1", "One.", ["a"]));
    expect(matchesChecksum(old, format, ["a", "new"])).toBe(false);
    expect(matchesChecksum(old, format, ["a", "new"], ["a"])).toBe(true);
    expect(matchesChecksum(old, format, ["b", "new"], ["b"])).toBe(false);
    expect(matchesChecksum(withOrigin("One.", format, "", "k-1"), format, ["a"], null)).toBe(false);
  });

  test("a changed text or field, another copy's line or a missing line does not match the checksum", () => {
    const held = withOrigin("One.", format, "by Ana", "k-1", checksumOf("k-1", "One.", ["a"]));
    expect(matchesChecksum(held.replace("One", "Two"), format, ["a"])).toBe(false);
    expect(matchesChecksum(held, format, ["b"])).toBe(false);
    expect(matchesChecksum(held.replace("k-1", "k-2"), format, ["a"])).toBe(false);
    expect(matchesChecksum(withOrigin("One.", format, "by Ana", "k-1"), format, ["a"])).toBe(false);
    expect(matchesChecksum(null, format, ["a"])).toBe(false);
  });
});

test("a value can't become markup of an HTML text", () => {
  expect(withOrigin("x", "html", "<b>", "k")).not.toContain("<b>");
});

test("a checksum has no digits, which tools turn into links", () => {
  for (let index = 0; index < 50; index += 1)
    expect(checksumOf("k", String(index), null)).toMatch(/^[a-z]{12}$/);
});
