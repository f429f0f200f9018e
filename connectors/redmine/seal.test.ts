import { expect, test } from "vitest";
import { keyIn, splitOrigin, withOrigin } from "./provenance.ts";
import { isSealed, sealOf } from "./seal.ts";

const sealed = (text: string, fields: unknown, key = "k-1") =>
  withOrigin(text, "by Ana", key, sealOf(key, text, fields));

test("a copy matches its seal, also after a form changed the line breaks", () => {
  for (const text of ["", "One.\nTwo.\n", "One.\r\nTwo."]) {
    const held = sealed(text, ["a", 1]);
    expect(isSealed(held, ["a", 1])).toBe(true);
    expect(isSealed(held.replaceAll(/\r?\n/g, "\r\n"), ["a", 1])).toBe(true);
    expect(splitOrigin(held)?.text).toBe(text.replaceAll("\r\n", "\n"));
    expect(keyIn(held)).toBe("k-1");
  }
});

test("a changed text or field, another copy's line or a missing line does not match the seal", () => {
  const held = sealed("One.", ["a"]);
  expect(isSealed(held.replace("One", "Two"), ["a"])).toBe(false);
  expect(isSealed(held, ["b"])).toBe(false);
  expect(isSealed(held.replace("k-1", "k-2"), ["a"])).toBe(false);
  expect(isSealed(withOrigin("One.", "by Ana", "k-1"), ["a"])).toBe(false);
  expect(isSealed(null, ["a"])).toBe(false);
});

test("a seal has no digits, which Redmine could turn into links", () => {
  for (let index = 0; index < 50; index += 1) expect(sealOf("k", String(index), null)).toMatch(/^[a-z]{12}$/);
});
