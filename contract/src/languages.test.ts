import { expect, test } from "vitest";
import { matchLanguage } from "./languages.ts";

const offered = ["en", "de", "fr", "pt-BR", "ja"];

test.each([
  [["de-AT", "en"], "de"],
  [["pt"], "pt-BR"],
  [["pt-PT", "en"], "pt-BR"],
  [["PT-br"], "pt-BR"],
  [["nl", "fr-CA"], "fr"],
  [["nl"], undefined],
  [[null, undefined, "", "ja-JP"], "ja"],
])("%j gets %s", (wanted, code) => {
  expect(matchLanguage(wanted, offered)).toBe(code);
});

test("an exact match wins over another one of the same language", () => {
  expect(matchLanguage(["en-XB"], ["en", "en-XA", "en-XB"])).toBe("en-XB");
  expect(matchLanguage(["en-GB"], ["en", "en-XA"])).toBe("en");
});
