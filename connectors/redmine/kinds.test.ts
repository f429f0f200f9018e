import { pickByWord } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { priorityKind, taskStatusKind, ticketStatusKind } from "./kinds.ts";

const trackers = [{ id: 1, name: "Bug", default_status: { id: 1 } }];
const status = (id: number, name: string, is_closed = false) => ({ id, name, is_closed });

test("derives the meaning of a status from its flags, in any language", () => {
  expect(taskStatusKind(status(1, "Neu"), trackers)).toBe("todo");
  expect(taskStatusKind(status(2, "In Arbeit"), trackers)).toBe("in_progress");
  expect(taskStatusKind(status(5, "Erledigt", true), trackers)).toBe("done");
  expect(taskStatusKind(status(6, "Rejected", true), trackers)).toBe("canceled");
  expect(ticketStatusKind(status(4, "Feedback"), trackers)).toBe("pending");
  expect(ticketStatusKind(status(5, "Erledigt", true), trackers)).toBe("closed");
});

test("derives the meaning of a priority from its distance to the default", () => {
  const all = ["Niedrig", "Normal", "Hoch", "Dringend", "Sofort"].map((name, index) => ({
    id: index + 1,
    name,
    is_default: index === 1,
    active: true,
  }));
  expect(all.map(({ id }) => priorityKind(id, all))).toEqual(["low", "normal", "high", "urgent", "urgent"]);
});

test("matches a name exactly, then case-insensitively, then by meaning, then takes the first", () => {
  const all = [{ name: "bug" }, { name: "Bug" }, { name: "Idea" }];
  const never = () => false;
  expect(pickByWord(all, "Bug", never)).toBe(all[1]);
  expect(pickByWord(all, "IDEA", never)).toBe(all[2]);
  expect(pickByWord(all, "Story", ({ name }) => name === "Idea")).toBe(all[2]);
  expect(pickByWord(all, null, never)).toBe(all[0]);
});
