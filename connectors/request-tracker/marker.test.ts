import { expect, test } from "vitest";
import { keyIn, shortened, withMarker } from "./marker.ts";

test("counts bytes, as Request Tracker does, and cuts no character in two", () => {
  expect(shortened("éééé", 5)).toBe("éé");
  expect(shortened("👩‍👧", 6)).toBe("👩");
  expect(shortened("plain", 5)).toBe("plain");
});

test("a text of long characters does not push its key out of the column", () => {
  const made = withMarker("日".repeat(255), "imp_1:abc", 255);
  expect(Buffer.byteLength(made)).toBeLessThanOrEqual(255);
  expect(keyIn(made)).toBe("imp_1:abc");
});
