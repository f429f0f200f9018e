import { join } from "node:path";
import { expect, test } from "vitest";
import { keysOf, literalTexts, readCatalogues, readWizardSources, unusedKeys } from "./wizard-texts.ts";

const root = join(import.meta.dirname, "..");
const sources = readWizardSources(root);
const catalogues = readCatalogues(root);

test("every word of the pages is in a catalogue", () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(literalTexts)).toEqual([]);
});

test("every key of the catalogues is asked for", () => {
  expect(unusedKeys(catalogues, sources)).toEqual([]);
});

test("words that we do not say to customers", () => {
  const banned =
    /\b(migrat\w*|entit(y|ies)|payload|mapping|sync\w*|instance|oauth|rollback|etl|oops|simply)\b/i;
  const told = Object.entries(catalogues).flatMap(([name, catalogue]) =>
    JSON.stringify(catalogue)
      .split('","')
      .filter((line) => banned.test(line.replace(/^[^:]*":/, "")) || /[^!]!"?$/.test(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(told).toEqual([]);
});

test("a word in a page, in whatever way it is put there, is found", () => {
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

test("a key that nobody asks for is found, also where others are asked for by a pattern", () => {
  const page = {
    file: "a.tsx",
    text: 'const { t } = useTranslation("a"); t("used"); t(`by.${kind}.title`); t(one ? "yes" : "no"); t("many", { count })',
  };
  const a = {
    ...{ used: "x", unused: "x", yes: "x", no: "x", many_one: "x", many_other: "x" },
    by: { first: { title: "x", other: "x" } },
  };
  expect(unusedKeys({ a, b: { used: "x" } }, [page])).toEqual(["a: unused", "a: by.first.other", "b: used"]);
  expect(keysOf({ many_one: "x", many_other: "y" })).toEqual(["many", "many"]);
});
