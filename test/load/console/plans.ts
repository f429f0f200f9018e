import { readFileSync } from "node:fs";

/** A node of a plan, as auto_explain writes it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface SeenPlan {
  readonly text: string;
  /** Tables that it reads from beginning to end. */
  readonly scanned: readonly string[];
  /** Rows that its scans touched; 0 if it was not executed with counts. */
  readonly touched: number;
  readonly ms: number;
}

/** What begins a line of the server's log, so that a plan of many lines ends before the next entry. */
export const logMark = "@@entry";

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** All leaves of the ledger are the ledger. */
const tableOf = (relation: string) => (/^ledger(_|$)/.test(relation) ? "ledger" : relation);

const touchedBy = (node: PlanNode) =>
  node["Relation Name"] === undefined
    ? 0
    : (node["Actual Loops"] ?? 0) *
      ((node["Actual Rows"] ?? 0) +
        (node["Rows Removed by Filter"] ?? 0) +
        (node["Rows Removed by Index Recheck"] ?? 0));

export const readPlan = (entry: string): SeenPlan | undefined => {
  const found = /duration: ([\d.]+) ms {2}plan:\s*(\{[^]*\})\s*$/.exec(entry);
  if (!found) return undefined;
  const { "Query Text": text, Plan: plan } = JSON.parse(found[2] ?? "") as {
    "Query Text": string;
    Plan: PlanNode;
  };
  const nodes = nodesOf(plan);
  return {
    text: text.replaceAll(/\s+/g, " ").trim(),
    scanned: nodes.flatMap((node) =>
      node["Node Type"] === "Seq Scan" && node["Relation Name"] !== undefined
        ? [tableOf(node["Relation Name"])]
        : [],
    ),
    touched: nodes.reduce((sum, node) => sum + touchedBy(node), 0),
    ms: Number(found[1]),
  };
};

/** The plans that a server with `log_line_prefix` = `logMark` and auto_explain has written since this position of its log. */
export const readPlans = (log: string, from: number): readonly SeenPlan[] =>
  readFileSync(log)
    .subarray(from)
    .toString("utf8")
    .split(logMark)
    .flatMap((entry) => readPlan(entry) ?? []);
