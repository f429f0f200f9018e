import { expect, test } from "vitest";
import { lawTests } from "./kit/law-tests.ts";
import { judgeLaws, type RanTest } from "./law-results.ts";

const acme = {
  tool: "acme",
  laws: {
    "page-size": { says: "A page has at most 100", marks: ["S"], seen: "request" },
    "links-die": { says: "Links end", marks: ["K"], seen: "outcome" },
  },
} as const;
const ran = (group: string, title: string, more: Partial<RanTest> = {}): RanTest => ({
  file: "test/vendors/acme/acme.integration.test.ts",
  ancestorTitles: [group],
  title,
  status: "passed",
  ...more,
});
const all = [ran(lawTests.request, "page-size"), ran(lawTests.outcome, "links-die")];

test("a law is caught by a changed connector, or else by a direct request", () => {
  const mutant = ran(lawTests.connector, "page-size: it asks for more", {
    file: "connectors/acme/acme.integration.test.ts",
  });
  expect(judgeLaws(acme, [...all, mutant])).toEqual([
    {
      tool: "acme",
      law: "page-size",
      kind: "connector",
      isCaught: true,
      by: "a connector mutant (it asks for more): the stand-in recorded the breach",
    },
    {
      tool: "acme",
      law: "links-die",
      kind: "outcome",
      isCaught: true,
      by: "a direct request: what came differed from the tool's tables",
    },
  ]);
});

test("a planted law that nothing breaks is missed", () => {
  const planted = { ...acme, laws: { ...acme.laws, planted: acme.laws["page-size"] } };
  expect(judgeLaws(planted, all).filter(({ isCaught }) => !isCaught)).toEqual([
    { tool: "acme", law: "planted", kind: null, isCaught: false, by: "nothing breaks it" },
  ]);
});

test.each([
  ["failed", ran(lawTests.request, "page-size", { status: "failed" })],
  ["did not run", ran(lawTests.request, "page-size", { status: "pending" })],
  ["is another tool's", ran(lawTests.request, "page-size", { file: "test/vendors/other/a.test.ts" })],
  ["is in no such group", ran("something else", "page-size")],
  ["is of a longer name", ran(lawTests.request, "page-size-of-searches")],
])("a test that %s catches nothing", (_, other) => {
  expect(judgeLaws(acme, [other])[0]?.isCaught).toBe(false);
});

test("a mutant that is not noticed counts more than a request that is", () => {
  const mutant = ran(lawTests.connector, "page-size: it asks for more", { status: "failed" });
  expect(judgeLaws(acme, [...all, mutant])[0]).toMatchObject({ isCaught: false, kind: "connector" });
});
