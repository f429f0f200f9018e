import { join } from "node:path";
import { expect, test } from "vitest";
import { familyStreams } from "@portage/connector-kit";
import { preflightTexts } from "../server/src/features/imports/index.ts";
import { reasons } from "../server/src/features/runs/index.ts";
import { keysOf, literalTexts, readCatalogues, readWizardSources, unusedKeys } from "./wizard-texts.ts";

const root = join(import.meta.dirname, "..");
const sources = readWizardSources(root);
const catalogues = readCatalogues(root);

test("every text of the pages is in a catalogue", () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(literalTexts)).toEqual([]);
});

test("the pages use every key of the catalogues", () => {
  expect(unusedKeys(catalogues, sources)).toEqual([]);
});

test.each([
  ["kinds", Object.values(familyStreams).flatMap((each) => each.map(({ label }) => `${label}.title`))],
  ["kinds", Object.values(familyStreams).flatMap((each) => each.map(({ label }) => `${label}.word`))],
  ["reasons", Object.keys(reasons).map((code) => `by.${code}`)],
  ["preflight", Object.keys(preflightTexts).map((code) => `${code}.message`)],
])("the catalogue of %s has a text for every code of the server", (name, keys) => {
  const known = new Set(keysOf(catalogues[name]));
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key) => !known.has(key))).toEqual([]);
});

test("avoids words that customers should not see", () => {
  const banned =
    /\b(migrat\w*|entit(y|ies)|payload|mapping|sync\w*|instance|oauth|rollback|etl|oops|simply)\b/i;
  const found = Object.entries(catalogues).flatMap(([name, catalogue]) =>
    JSON.stringify(catalogue)
      .split('","')
      .filter((line) => banned.test(line.replace(/^[^:]*":/, "")) || /[^!]!"?$/.test(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(found).toEqual([]);
});

test("finds a literal text in a page, in every syntax", () => {
  const text = (jsx: string) => literalTexts({ file: "a.tsx", text: `export const A = () => ${jsx};` });
  for (const jsx of [
    "<p>Hello</p>",
    '<p>{"Hello"}</p>',
    "<p>{`Hello`}</p>",
    '<input aria-label="Hello" />',
    '<img alt="Hello" />',
  ])
    expect(text(jsx), jsx).toHaveLength(1);
  for (const jsx of ['<p className="muted">{t("hello")}</p>', '<p>{" · "}</p>', "<b>{index + 1}</b>"])
    expect(text(jsx), jsx).toEqual([]);
});

test("finds an unused key, even if a pattern uses its siblings", () => {
  const page = {
    file: "a.tsx",
    text: 'const { t } = useTranslation("a"); t("used"); t(`by.${kind}.title`); t(one ? "yes" : "no"); t("many", { count })',
  };
  const a = {
    used: "x",
    unused: "x",
    yes: "x",
    no: "x",
    many_one: "x",
    many_other: "x",
    by: { first: { title: "x", other: "x" } },
  };
  expect(unusedKeys({ a, b: { used: "x" } }, [page])).toEqual(["a: unused", "a: by.first.other", "b: used"]);
  expect(keysOf({ many_one: "x", many_other: "y" })).toEqual(["many", "many"]);
});
