import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { carriedFor, carrierWord, isNote, noteSubject } from "./carrier.ts";
import { keyIn, markerOf, withMarker, withoutMarker } from "./marker.ts";
import { canHold, fromRtTime, heldMoment, toRtTime } from "./moments.ts";
import { messageSubject, originLine, withOrigin, withoutOrigin } from "./provenance.ts";
import { priorityKindOf, priorityNumber, statusKindOf, statusWord } from "./statuses.ts";

const key = fc.stringMatching(/^[a-z0-9:_-]{1,64}$/);
const who = { stream: null, id: null, name: "Zoë\n Müller", email: "zoe@old.example" };

describe("keys in texts", () => {
  test("reads back the key and the unchanged text", () => {
    fc.assert(
      fc.property(key, fc.string({ maxLength: 100 }), (one, text) => {
        const marked = withMarker(text, one, 255);
        expect(keyIn(marked)).toBe(one);
        expect(withoutMarker(marked)).toBe(text);
      }),
    );
  });

  test("shortens a long text, never the key, and cuts no character in two", () => {
    const marked = withMarker("🎈".repeat(300), "k".repeat(64), 255);
    expect(marked.length).toBeLessThanOrEqual(255);
    expect(keyIn(marked)).toBe("k".repeat(64));
    expect(marked.isWellFormed()).toBe(true);
  });

  test("does not confuse a key with another that starts with it", () => {
    expect(keyIn(`x ${markerOf("a-10")}`)).toBe("a-10");
    expect(keyIn("a mere word, portage")).toBeNull();
    expect(keyIn("http://portage:80/")).toBeNull();
  });

  test("a subject fits into RT's column with any name", () => {
    const author = { ...who, name: "n".repeat(500) };
    const file = carrierWord({ stream: "comments", id: "2147483647" });
    const subject = messageSubject({ author, createdAt: "2019-03-04T10:22:33.000Z" }, "k".repeat(64), file);
    expect(subject.length).toBeLessThanOrEqual(255);
    expect(keyIn(subject)).toBe("k".repeat(64));
    expect(carriedFor(subject)).toEqual({ stream: "comments", id: "2147483647" });
  });

  test("recognises only messages that an import wrote as a file's message", () => {
    expect(carriedFor("see file-of:message:12")).toBeNull();
    expect(isNote(noteSubject)).toBe(true);
    expect(isNote("a portage-notebook")).toBe(false);
  });
});

describe("the line at the end of a text", () => {
  const line = originLine({
    tags: ["a", "b"],
    people: { Author: who },
    also: { Due: "1969-01-02T03:04:05.000Z" },
  });

  test("lists in one line the values that RT can't hold", () => {
    expect(line).toBe("Author: Zoë Müller <zoe@old.example>; Tags: a, b; Due: 1969-01-02 03:04 UTC");
  });

  test.each([true, false])("is removed again on reading (HTML: %s)", (html) => {
    fc.assert(
      fc.property(key, fc.string(), (one, text) => {
        expect(withoutOrigin(withOrigin(text, html, line, one), html)).toBe(text);
        expect(withoutOrigin(text, html)).toBe(text);
      }),
    );
    expect(withOrigin("x", true, "<b>", "k")).not.toContain("<b>");
    expect(withOrigin("x", html, "", "k")).toBe("x");
  });
});

test("times are written in RT's format, and RT's empty time is read as null", () => {
  expect(toRtTime("2024-03-31T01:30:00.999Z")).toBe("2024-03-31 01:30:00");
  expect(fromRtTime("1970-01-01T00:00:00Z")).toBeNull();
  expect(fromRtTime("2024-03-31T01:30:00Z")).toBe("2024-03-31T01:30:00.000Z");
  expect(canHold("1969-12-31T23:59:59.000Z")).toBe(false);
  expect(heldMoment("2024-03-31T01:30:00.999Z")).toBe("2024-03-31T01:30:00.000Z");
});

test("states and priorities", () => {
  expect(statusWord({ status: "Rejected", statusKind: "closed" })).toBe("rejected");
  expect(statusWord({ status: "Rejected", statusKind: "open" })).toBe("open");
  expect(statusWord({ status: "Wartend", statusKind: "on_hold" })).toBe("stalled");
  expect(statusKindOf("in review", false)).toBe("open");
  expect(statusKindOf("released", true)).toBe("solved");
  for (const kind of ["low", "normal", "high", "urgent"] as const)
    expect(priorityKindOf(priorityNumber({ priority: "Sehr hoch", priorityKind: kind }))).toBe(kind);
  expect(priorityNumber({ priority: "30", priorityKind: "normal" })).toBe(30);
});
