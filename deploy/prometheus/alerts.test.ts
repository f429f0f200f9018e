import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { siteSections } from "../../site/pages.ts";
import { makeDashboard } from "../grafana/dashboard.ts";
import { metricProblems } from "./metric-use.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const { groups } = parse(read("deploy/prometheus/portage.rules.yaml")) as {
  groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const pageOf = ({ annotations }: Rule) =>
  `docs/operators/runbooks/${basename(new URL(annotations.runbook_url).pathname)}`;

const headings = [
  "## What it means",
  "## What the customer sees",
  "## How to look",
  "## How to mend it",
  "## How to know that it is over",
];

describe("alert rules", () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))("%s", (name, rule) => {
    expect(metricProblems(rule.expr)).toEqual([]);
    expect(name).toMatch(/^Portage[A-Z][A-Za-z]+$/);
    expect(["critical", "warning"]).toContain(rule.labels.severity);
    expect(rule.annotations.summary.length).toBeGreaterThan(10);
    expect(rule.for).toMatch(/^\d+m$/);
    const page = pageOf(rule);
    expect(existsSync(join(root, page)), page).toBe(true);
    const text = read(page);
    expect(text).toContain(`Alert: \`${name}\` (${rule.labels.severity})`);
    expect(text.match(/^## .+$/gm)).toEqual(headings);
    const sources = siteSections(root).flatMap(({ pages }) => pages.map(({ source }) => source));
    expect(sources).toContain(page);
  });

  test("are each named once, and every runbook belongs to one", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    expect(globSync("docs/operators/runbooks/*.md", { cwd: root }).toSorted()).toEqual(
      rules.map(pageOf).toSorted(),
    );
  });
});

/** The server's code without tests. */
const code = globSync("server/src/**/*.ts", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts"))
  .map(read)
  .join("\n");

test.each(rules.map(pageOf))("the lines of the log that %s names are written", (page) => {
  const text = read(page).replaceAll(/\s+/g, " ");
  const lines = [...text.matchAll(/`([a-z]+(?: [a-z]+)+)`/g)].map(([, line = ""]) => line);
  const named = lines.filter((line) => !/^(npx )?portage /.test(line));
  expect(named.filter((line) => !code.includes(`"${line}`))).toEqual([]);
  const loops = [...text.matchAll(/with the loop `([^`]+)`/g)].map(([, loop = ""]) => loop);
  // Of a loop that fails; one that catches its errors writes a line of its own.
  expect(loops.filter((loop) => !code.includes(`name: "${loop}"`))).toEqual([]);
  expect(loops).not.toContain("retention");
});

describe("the dashboard", () => {
  const json = read("deploy/grafana/portage.json");
  interface Target {
    readonly expr: string;
  }
  const { panels } = JSON.parse(json) as {
    panels: readonly { readonly id: number; readonly title: string; readonly targets?: readonly Target[] }[];
  };

  test("is what the script makes: npm run generate", () => {
    expect(json).toBe(makeDashboard());
  });

  test.each(panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)))(
    "%s: %s",
    (_, expr) => {
      expect(metricProblems(expr)).toEqual([]);
    },
  );
});

test.each([
  ["sum(portage_imports_open)", ["there is no metric portage_imports_open"]],
  ["portage_chunk_duration_seconds > 1", ["there is no metric portage_chunk_duration_seconds"]],
  ["portage_outbox_waiting_bucket", ["there is no metric portage_outbox_waiting_bucket"]],
  ['portage_imports{state="x"}', ["portage_imports has no label state"]],
  ["sum by (partner) (portage_imports)", ["no metric of it has the label partner"]],
  ["vector(1)", ["names no metric"]],
])("a wrong expression is found: %s", (expr, problems) => {
  expect(metricProblems(expr)).toEqual(problems);
});
