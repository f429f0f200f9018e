import { expect, test } from "vitest";
import {
  arrange,
  type Catalogue,
  formsToTranslate,
  judgeTranslation,
  markTranslated,
  openKeys,
  textsOf,
} from "./translations.ts";

const english = {
  a: {
    title: "Move to {{destination}}",
    key: "A <b>key</b>",
    files_one: "One file",
    files_other: "{{count}} files",
  },
};
const german = {
  a: {
    title: "Umzug nach {{destination}}",
    key: "Ein <b>Schlüssel</b>",
    files_one: "Eine Datei",
    files_other: "{{count}} Dateien",
  },
};
const french = {
  a: {
    title: "Vers {{destination}}",
    key: "Une <b>clé</b>",
    files_one: "{{count}} fichier",
    files_many: "{{count}} de fichiers",
    files_other: "{{count}} fichiers",
  },
};

const compare = (language: string, translated: { readonly a: Catalogue }, source = english) => {
  const compared = { language, english: source, translated, marks: {} };
  return { ...compared, marks: markTranslated(compared) };
};

const judge = (language: string, a: Catalogue) => judgeTranslation(compare(language, { a }));

test("a complete translation has no problems", () => {
  expect(judge("de", german.a)).toEqual([]);
  expect(judge("fr", french.a)).toEqual([]);
  expect(
    judge("ja", { title: "{{destination}} へ", key: "<b>キー</b>", files_other: "{{count}} 件" }),
  ).toEqual([]);
});

test("finds missing, superfluous and empty texts", () => {
  const { title: _, ...rest } = german.a;
  expect(judge("de", rest)).toEqual(["a.title: is missing"]);
  expect(judge("de", { ...german.a, old: "Alt" })).toEqual(["a.old: English has no such text"]);
  expect(judge("de", { ...german.a, files_one: " " })).toEqual(["a.files: (one) is empty"]);
});

test("finds a placeholder or a tag that was lost or added", () => {
  expect(judge("de", { ...german.a, title: "Umzug nach {{Ziel}}" })).toEqual([
    "a.title: lost {{destination}}, has {{Ziel}}, which English has not",
  ]);
  expect(judge("de", { ...german.a, key: "Ein <b>Schlüssel" })).toEqual(["a.key: lost </b>"]);
  expect(judge("de", { ...german.a, files_other: "Dateien" })).toEqual(["a.files: (other) lost {{count}}"]);
});

test("finds a plural form that the language lacks or does not have", () => {
  const { files_many: _, ...rest } = french.a;
  expect(judge("fr", rest)).toEqual(["a.files: has the forms one, other; it needs many, one, other"]);
  expect(judge("ja", german.a)).toEqual(["a.files: has the forms one, other; it needs other"]);
  expect(judge("de", { ...german.a, title_other: "{{destination}}" })).toEqual([
    "a.title: has the forms no plural, other; it needs no plural",
  ]);
});

test("the French form for one is also that for none, so it must show the number", () => {
  expect(judge("fr", { ...french.a, files_one: "Un fichier" })).toEqual(["a.files: (one) lost {{count}}"]);
});

test("a translation that is older than its English text is open until it is changed or said to be right", () => {
  const { marks } = compare("de", german);
  const changed = { language: "de", english: { a: { ...english.a, title: "To {{destination}}" } }, marks };
  const old = { ...changed, translated: german };
  const stale = ["a.title: the English text has changed since it was translated"];
  expect(judgeTranslation(old)).toEqual(stale);
  expect(openKeys(old)).toEqual(["a.title"]);
  expect(judgeTranslation({ ...old, marks: markTranslated(old) })).toEqual(stale);
  expect(judgeTranslation({ ...old, marks: markTranslated(old, new Set(["a.title"])) })).toEqual([]);
  const anew = { ...changed, translated: { a: { ...german.a, title: "Nach {{destination}}" } } };
  expect(judgeTranslation({ ...anew, marks: markTranslated(anew) })).toEqual([]);
});

test("an unmarked change and the mark of a text that is gone are found", () => {
  const compared = compare("de", german);
  const corrected = { ...compared, translated: { a: { ...german.a, key: "Der <b>Schlüssel</b>" } } };
  expect(judgeTranslation(corrected)).toEqual(["a.key: has changed and is not marked"]);
  const { title: _, ...rest } = english.a;
  const { title: __, ...germanRest } = german.a;
  expect(judgeTranslation({ ...compared, english: { a: rest }, translated: { a: germanRest } })).toEqual([
    "a.title: is marked, but English has no such text",
  ]);
});

test("arranges a translation as the English catalogue is, with the language's plural forms", () => {
  const nested = { first: { one: "One" }, count_one: "1", count_other: "{{count}}", gone: "x" };
  const { gone: _, ...source } = nested;
  const given = { "a.count_many": "{{count}} de", "a.first.one": "Un" };
  const old = { gone: "y", count_other: "{{count}}", count_one: "{{count}}" };
  const arranged = arrange("fr", source, old, given, "a");
  expect(JSON.stringify(arranged)).toBe(
    '{"first":{"one":"Un"},"count_many":"{{count}} de","count_one":"{{count}}","count_other":"{{count}}"}',
  );
});

test("what is to be translated has the forms of the language", () => {
  const files = textsOf(english).get("a.files");
  expect(files && formsToTranslate("ja", files)).toEqual({ "a.files_other": "{{count}} files" });
  expect(files && formsToTranslate("fr", files)).toEqual({
    "a.files_many": "{{count}} files",
    "a.files_one": "One file",
    "a.files_other": "{{count}} files",
  });
});
