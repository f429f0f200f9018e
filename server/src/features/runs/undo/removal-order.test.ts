import type { DestinationStream } from "@portage/connector-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plain } from "../../../../../test/runs/kinds-fixture.ts";
import { removalOrder } from "./removal-order.ts";

const offered = plain().destination?.helpdesk ?? [];

const without = (names: readonly string[]) =>
  offered.map(({ remove, ...stream }) => {
    const to: DestinationStream =
      names.includes(stream.stream.name) || !remove ? stream : { ...stream, remove };
    return { name: to.stream.name, to };
  });

const said = (names: readonly string[]) =>
  removalOrder(without(names)).map(({ stream, aim }) => (aim === "look" ? `look at ${stream}` : stream));

test("a pointing record goes before its target", () => {
  expect(said([])).toEqual(offered.map(({ stream }) => stream.name).toReversed());
});

test("parts are checked before their owner, and settled right after it", () => {
  const order = said(["comments", "attachments"]);
  const holders = ["tickets", "comments", "articles"];
  expect(order.filter((each) => each.includes("comments") || each.includes("attachments"))).toEqual([
    "look at attachments",
    "look at comments",
    "comments",
    "attachments",
  ]);
  for (const holder of holders) expect(order.indexOf("attachments")).toBeGreaterThan(order.indexOf(holder));
  expect(order.indexOf("comments")).toBe(order.indexOf("tickets") + 1);
  // The people they name can go only when they are settled.
  expect(order.indexOf("comments")).toBeLessThan(order.indexOf("users"));
});

test("also parts of streams that can't be removed: some of their owners may go", () => {
  expect(said(["attachments", "articles"]).at(0)).toBe("look at attachments");
  expect(said(["comments", "tickets"]).filter((each) => /comments|tickets/.test(each))).toEqual([
    "look at comments",
    "tickets",
    "comments",
  ]);
});

test("whatever a tool can remove, every stream is settled once", () => {
  const names = offered.map(({ stream }) => stream.name);
  fc.assert(
    fc.property(fc.subarray(names), (unremovable) => {
      const order = said(unremovable);
      expect(order.filter((each) => !each.startsWith("look at ")).toSorted()).toEqual(names.toSorted());
      expect(new Set(order).size).toBe(order.length);
    }),
  );
});
