import type { CheckResult } from "@portage/connector-kit/conformance";
import { expect, test } from "vitest";
import { allConnectors } from "../support/all-connectors.ts";
import { loadSuites } from "./load-suites.ts";
import { figuresOf, roleLine, type SuiteReport } from "./run-suite.ts";
import { ownBreaches } from "./suite.ts";

test("every connector has a suite, in families that it has", async () => {
  const suites = await loadSuites();
  const manifests = new Map(allConnectors.map(({ manifest }) => [manifest.name, manifest]));
  expect(suites.map(({ tool }) => tool).toSorted()).toEqual([...manifests.keys()].toSorted());
  for (const { tool, runs } of suites)
    expect(manifests.get(tool)?.families).toEqual(expect.arrayContaining(runs.map(({ family }) => family)));
});

const result = (name: string, verdict: CheckResult["verdict"], why: string | null = null): CheckResult => ({
  name,
  verdict,
  why,
  shows: "",
});
const good = result("schema", "passed");
const report = (
  changes: Partial<SuiteReport> & { readonly results?: readonly CheckResult[] },
): SuiteReport => ({
  tool: "acme",
  onRealServer: true,
  on: "a real server, Acme 5.1",
  roles: [{ tool: "acme", role: "source", results: changes.results ?? [good], held: null }],
  breaches: [],
  lies: [],
  unvalidated: [],
  problems: [],
  ...changes,
});

test("a role counts if its checks passed and none failed", () => {
  const skipped = result("count", "skipped", "the tool does not count");
  expect(figuresOf([report({ results: [good, skipped] })])).toMatchObject({
    sources: 1,
    destinations: 0,
    onRealServers: 1,
    failed: 0,
  });
  expect(figuresOf([report({ results: [skipped] })])).toMatchObject({ sources: 0, failed: 0 });
  for (const verdict of ["failed", "blocked"] as const)
    expect(figuresOf([report({ results: [good, result("delta", verdict)] })])).toMatchObject({
      sources: 0,
      failed: 1,
    });
});

test("a stand-in's lie, another version and a start that fails count as failures; breaches are counted apart", () => {
  expect(figuresOf([report({ lies: ["Not an answer"] })]).failed).toBe(1);
  expect(figuresOf([report({ problems: ["it is version 6"] })]).failed).toBe(1);
  const breaches = [{ law: "page-size", operation: "GET /a", detail: "500" }];
  expect(figuresOf([report({ breaches, unvalidated: ["acme GET /b 200"] })])).toMatchObject({
    failed: 0,
    breaches: 1,
    unvalidated: ["acme GET /b 200"],
  });
});

test("only the laws that the suite itself breaks are excused", () => {
  const breach = (law: string) => ({ law, operation: "GET /a", detail: "" });
  const breaches = [breach("one-scroll"), breach("page-size")];
  const stood = { held: { requests: 1, answers: 1 }, breaches, lies: [], unvalidated: new Map() };
  expect(ownBreaches({ excused: { "one-scroll": "the suite leaves scrolls open" } }, stood)).toEqual([
    breach("page-size"),
  ]);
  expect(ownBreaches({}, stood)).toHaveLength(2);
});

test("a line has what was skipped and why, what failed, and what was held to the description", () => {
  const acme = report({
    results: [
      good,
      result("count", "skipped", "the tool does not count"),
      result("delta", "failed", "all came"),
    ],
  });
  const [source] = acme.roles;
  if (!source) throw new Error("no role");
  expect(roleLine(acme, source)).toBe(
    "acme source: 1 passed; 1 skipped (count: the tool does not count); 1 failed (delta: all came); no description; on a real server, Acme 5.1",
  );
  expect(roleLine(acme, { ...source, held: { requests: 3, answers: 2 } })).toContain(
    "3 requests and 2 answers held to the description, 0 breaches, unvalidated 0",
  );
});
