import { keyIn } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { carriedFor, carrierWord, isNote, messageSubject, noteSubject } from "./carrier.ts";
import { canHold, fromRtTime, heldMoment, toRtTime } from "./moments.ts";
import { priorityKindOf, priorityNumber, statusKindOf, statusWord } from "./statuses.ts";

const who = { stream: null, id: null, name: "Zoë\n Müller", email: "zoe@old.example" };

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
