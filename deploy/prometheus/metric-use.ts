import { catalogue, type MetricDefinition } from "../../server/src/platform/metrics/index.ts";

const known = new Map<string, MetricDefinition>(Object.entries(catalogue));

/** What Prometheus and Node.js add by themselves. */
const others = /^(up|nodejs_[a-z0-9_]+|process_[a-z0-9_]+)$/;
const addedLabels = new Set(["job", "instance", "le"]);

const definitionOf = (name: string): MetricDefinition | undefined => {
  const plain = known.get(name);
  if (plain) return plain.kind === "histogram" ? undefined : plain;
  const histogram = known.get(name.replace(/_(bucket|sum|count)$/, ""));
  return histogram?.kind === "histogram" ? histogram : undefined;
};

/** The labels that an expression selects a metric by, and those that it groups or matches by. */
const selectors = (expr: string) =>
  [...expr.matchAll(/([a-z_][a-z0-9_]*)\s*(?:\{([^}]*)\})?/g)]
    .filter(([, name = ""]) => /^(portage_|nodejs_|process_)|^up$/.test(name))
    .map(([, name = "", inside = ""]) => ({
      name,
      labels: [...inside.matchAll(/([a-z_]+)\s*[=!]/g)].map(([, label = ""]) => label),
    }));

/** What is wrong with the metrics and labels that an expression names. */
export const metricProblems = (expr: string): readonly string[] => {
  const used = selectors(expr);
  if (used.length === 0) return ["names no metric"];
  const problems: string[] = [];
  const labels = new Set<string>(addedLabels);
  for (const { name, labels: selected } of used) {
    const definition = definitionOf(name);
    if (!definition && !others.test(name)) problems.push(`there is no metric ${name}`);
    for (const label of definition?.labels ?? []) labels.add(label);
    for (const label of selected)
      if (!addedLabels.has(label) && !definition?.labels.includes(label))
        problems.push(`${name} has no label ${label}`);
  }
  for (const [, group = ""] of expr.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of group.split(",").map((each) => each.trim()))
      if (!labels.has(label)) problems.push(`no metric of it has the label ${label}`);
  return problems;
};
