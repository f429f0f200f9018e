import { expect, test } from "vitest";
import { cutToken } from "./cut-answer.ts";

const token = "0123456789abcdef0123456789abcdef";

test("the token is cut from an answer in any case, also where the end cuts it in two", () => {
  expect(cutToken(`at /imports/${token.toUpperCase()}/ ok`, token)).toBe("at /imports/[token]/ ok");
  expect(cutToken(`at /imports/${token.slice(0, 9)}`, token)).toBe("at /imports/");
});

test("without a token, as of an erased import, the answer stays as it is", () => {
  expect(cutToken("ok", "")).toBe("ok");
});
