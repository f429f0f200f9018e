import { describe, expect, test } from "vitest";
import { Secret } from "../../platform/secret.ts";
import { hashPassword, isPassword, passwordSchema } from "./password.ts";

const password = new Secret("correct horse battery");
const cheap = { N: 16, r: 1, p: 1 };

describe("passwords", () => {
  test("are stored as salted hashes, each with its own salt", async () => {
    const [one, other] = [await hashPassword(password, cheap), await hashPassword(password)];
    expect(one).not.toBe(other);
    expect(one).not.toContain("horse");
    expect(await isPassword(password, one)).toBe(true);
    expect(await isPassword(password, other)).toBe(true);
    expect(await isPassword(new Secret("correct horse batterz"), one)).toBe(false);
  });

  test("of an account without one are never right", async () => {
    expect(await isPassword(password, undefined)).toBe(false);
  });

  test("are the same however their characters are composed", async () => {
    const hash = await hashPassword(new Secret("caf\u00e9 caf\u00e9 caf\u00e9"), cheap);
    expect(await isPassword(new Secret("cafe\u0301 cafe\u0301 cafe\u0301"), hash)).toBe(true);
  });

  test("need twelve characters, whichever", () => {
    expect(passwordSchema.safeParse("aaaaaaaaaaaa").success).toBe(true);
    expect(passwordSchema.safeParse("aB3$aB3$aB3").success).toBe(false);
  });
});
