import { expect, test } from "vitest";
import { changed, filtersIn, inView, listAddress, viewOf } from "./filters.ts";

test("filters survive the address", () => {
  const filters = { text: "ws 1&2", stuck: "true", before: "imp_1" };
  const address = listAddress(filters);
  expect(filtersIn(new URL(address, "https://x.example").searchParams)).toEqual(filters);
  expect(filtersIn(new URLSearchParams("limit=9&status=&tool=%20"))).toEqual({});
  expect(listAddress({})).toBe("/imports");
});

test("another filter begins with the first page", () => {
  expect(changed({ text: "a", before: "imp_1" }, { status: "in_preparation" })).toEqual({
    text: "a",
    status: "in_preparation",
  });
});

test("a view keeps what narrows it down", () => {
  const inStuck = inView({ partner: "prt_1", running: "true", before: "imp_1" }, "stuck");
  expect(inStuck).toEqual({ partner: "prt_1", stuck: "true" });
  expect(viewOf(inStuck)).toBe("stuck");
  expect(viewOf({ partner: "prt_1" })).toBe("all");
  expect(viewOf({ waits_for: "tool" })).toBeNull();
});
