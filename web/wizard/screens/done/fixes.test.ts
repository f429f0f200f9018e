import { expect, test } from "vitest";
import { fixPlaceOf, isFinal, isMendedHere, isRetried } from "./fixes.ts";

test("a cause that the customer can mend leads to the screen for it, others to none", () => {
  expect(fixPlaceOf("required_empty")).toBe("fields");
  expect(fixPlaceOf("forbidden")).toBe("destination");
  expect(fixPlaceOf("not_shown")).toBe("connect");
  expect(fixPlaceOf("in_doubt")).toBeNull();
  expect(fixPlaceOf("toString")).toBeNull();
  expect(["required_empty", "forbidden", "in_doubt"].map(isMendedHere)).toEqual([true, false, false]);
});

test("a retry takes up what failed, and changes that could not be made", () => {
  expect(isRetried("failed", "too_large")).toBe(true);
  expect(isRetried("behind", "update_failed")).toBe(true);
  expect(isRetried("behind", "edited_since")).toBe(false);
  expect(isRetried("skipped", "parent_missing")).toBe(false);
});

test("no retry is offered for what stays closed", () => {
  expect(isFinal("ticket_closed")).toBe(true);
  expect(isFinal("rejected")).toBe(false);
});
