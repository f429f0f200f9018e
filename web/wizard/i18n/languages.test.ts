import { languageCodes } from "@portage/contract/languages";
import { expect, test } from "vitest";
import { chooseLanguage, keepLanguage, offeredLanguages } from "./languages.ts";
import { pseudoText } from "./pseudo.ts";

const storageWith = (values: Record<string, string>) => ({
  getItem: (key: string) => values[key] ?? null,
  setItem: (key: string, value: string) => {
    values[key] = value;
  },
});

test("pseudo-languages are offered only when they are switched on", () => {
  const asked = { search: "?lang=en-XB", preferred: ["en-US"] };
  expect(chooseLanguage({ ...asked, storage: null }).code).toBe("en");
  expect(chooseLanguage({ ...asked, storage: storageWith({ "portage:pseudo": "on" }) }).code).toBe("en-XB");
  expect(offeredLanguages({ storage: storageWith({}) }).map(({ code }) => code)).toEqual([...languageCodes]);
});

test("keeps the chosen language", () => {
  const storage = storageWith({ "portage:pseudo": "on" });
  keepLanguage(storage, { code: "en-XA", name: "", dir: "ltr" });
  expect(chooseLanguage({ storage, search: "", preferred: ["fr", "en-US"] }).code).toBe("en-XA");
});

test("falls back to English for an unsupported browser language", () => {
  expect(chooseLanguage({ storage: null, search: "", preferred: ["nl-BE"] }).code).toBe("en");
});

test("takes the browser's first language that there is, and the chosen one before it", () => {
  const asked = { search: "", preferred: ["nl", "de-AT", "en"] };
  expect(chooseLanguage({ ...asked, storage: null }).code).toBe("de");
  expect(chooseLanguage({ ...asked, storage: storageWith({ "portage:language": "en" }) }).code).toBe("en");
});

test("a pseudo-sentence is longer and keeps its placeholders", () => {
  const text = pseudoText("en-XA", "Move from {{source}} to <1>{{destination}}</1>");
  expect(text).toContain("{{source}}");
  expect(text).toContain("<1>{{destination}}</1>");
  expect(text).not.toContain("Move");
  expect(text.length).toBeGreaterThan(46 * 1.3);
});
