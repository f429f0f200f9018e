import fc from "fast-check";
import { expect, test } from "vitest";
import { keyAtEnd, keyIn, markerOf, withMarker, withoutMarker } from "./marker.ts";
import { truncate, truncateBytes } from "./truncate.ts";

const anyKey = fc.stringMatching(/^[a-z0-9:_-]{1,64}$/);

test("reads back the key and the unchanged text", () => {
  fc.assert(
    fc.property(anyKey, fc.string({ maxLength: 100 }), (key, text) => {
      const marked = withMarker(text, key, 255);
      expect(keyIn(marked)).toBe(key);
      expect(keyAtEnd(marked)).toBe(key);
      expect(withoutMarker(marked) ?? "").toBe(text);
    }),
  );
});

test("shortens the text for its key, and cuts no character in two", () => {
  const marked = withMarker(`${"x".repeat(8)}😀😀`, "k", 21);
  expect(marked).toBe(`${"x".repeat(8)} (portage:k)`);
  expect(withoutMarker(marked)).toBe("x".repeat(8));
  expect(withoutMarker(withMarker(null, "k", 255))).toBeNull();
  const long = withMarker("🎈".repeat(300), "k".repeat(64), 255);
  expect(long.length).toBeLessThanOrEqual(255);
  expect(long.isWellFormed()).toBe(true);
});

test("a text of long characters does not push its key out of a column that counts bytes", () => {
  const made = withMarker("日".repeat(255), "imp_1:abc", 255, truncateBytes);
  expect(Buffer.byteLength(made)).toBeLessThanOrEqual(255);
  expect(keyIn(made)).toBe("imp_1:abc");
});

test("does not confuse a key with another that starts with it, or with an address", () => {
  expect(keyIn(`x ${markerOf("a-10")}`)).toBe("a-10");
  expect(keyIn("a mere word, portage")).toBeNull();
  expect(keyIn("http://portage:80/")).toBeNull();
});

test("a key in the middle of a text is none of its own", () => {
  expect(keyAtEnd("see (portage:k-1) there")).toBeNull();
  expect(keyIn("see (portage:k-1) there")).toBe("k-1");
});

test("cuts by characters or bytes", () => {
  expect(truncateBytes("éééé", 5)).toBe("éé");
  expect(truncateBytes("👩‍👧", 6)).toBe("👩");
  expect(truncateBytes("plain", 5)).toBe("plain");
  expect(truncate("a😀", 2)).toBe("a");
});
