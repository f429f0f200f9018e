import { join } from "node:path";
import { expect, test } from "vitest";
import { familyStreams } from "@portage/connector-kit";
import { preflightTexts } from "../server/src/features/imports/index.ts";
import { stuckCauses } from "../server/src/features/operations/index.ts";
import { reasons } from "../server/src/features/runs/index.ts";
import { keysOf, literalTexts, readCatalogues, readPageSources, unusedKeys } from "./wizard-texts.ts";

const root = join(import.meta.dirname, "..");
const catalogues = readCatalogues(root, "wizard");

test.each(["wizard", "console"] as const)(
  "every text of the %s is in a catalogue, and none is unused",
  (name) => {
    const sources = readPageSources(root, name);
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(literalTexts)).toEqual([]);
    expect(unusedKeys(readCatalogues(root, name), sources)).toEqual([]);
  },
);

test("the console has words for every cause of a stuck import", () => {
  const { codes, import: detail } = readCatalogues(root, "console");
  const causes = Object.keys(stuckCauses);
  expect(keysOf((codes as { stuck: object }).stuck)).toEqual(causes);
  expect(keysOf((detail as { stuck: { advice: object } }).stuck.advice)).toEqual(causes);
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
