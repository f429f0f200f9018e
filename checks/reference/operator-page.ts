import { type Area, areas } from "../../server/src/features/staff/index.ts";
import { stuckCauses } from "../../server/src/features/operations/index.ts";
import { operatorBase } from "../../server/src/http/operator/base.ts";
import type { OperatorOperation } from "../../server/src/http/operator/operation.ts";
import type { VisitorOperation } from "../../server/src/http/operator/visitor.ts";

const titles: Readonly<Record<Area, string>> = {
  imports: "Imports",
  partners: "Partners",
  webhooks: "Webhooks",
  tools: "Tools",
  billing: "Billing",
  system: "System",
  audit: "Audit log",
  staff: "Staff",
};

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const names = (shape: object | undefined) =>
  Object.keys(shape ?? {})
    .map((name) => `\`${name}\``)
    .join(", ");

const bodyLine = ({ body }: Pick<OperatorOperation, "body">): readonly string[] =>
  body && Object.keys(body.shape).length > 0 ? [`Body: ${names(body.shape)}.`, ""] : [];

const describe = (operation: OperatorOperation): readonly string[] => [
  `### ${operation.summary}`,
  "",
  `\`${operation.method} ${operation.path}\` · ${operation.role}${operation.partner ? ", partner" : ""} · \`${operation.id}\``,
  "",
  operation.description,
  "",
  ...(operation.query ? [`Filters: ${names(operation.query.shape)}.`, ""] : []),
  ...bodyLine(operation),
  ...(operation.conflict ? [`409: ${operation.conflict}`, ""] : []),
];

const describeVisitor = (operation: VisitorOperation): readonly string[] => [
  `### ${operation.summary}`,
  "",
  `\`${operation.method} ${operation.path}\` · \`${operation.id}\``,
  "",
  operation.description,
  "",
  ...bodyLine(operation),
  ...Object.entries(operation.errors ?? {}).flatMap(([status, text]) => [`${status}: ${text}`, ""]),
];

/** docs/operators/operator-api.md: every operation, from its route, and what "stuck" means. */
export const operatorPage = (
  operations: readonly OperatorOperation[],
  visitorOperations: readonly VisitorOperation[],
): string =>
  `${[
    "# Operator API reference",
    "",
    "Made from the routes by `npm run docs:generate`: change them, not this page. [Operate with people](staff.md) says how to begin.",
    "",
    `The base is \`${operatorBase}\`, on \`OPERATOR_PORT\`. \`contract/operator.openapi.json\` describes it for programs. Every call needs`,
    "`Authorization: Bearer ptg_staff_…` or a browser's session, and is in the audit log; each line names the least role. A change also takes `reason`, in the body",
    "or as `X-Reason`, and an `Idempotency-Key`: a change with a key that was used before answers 409 and changes nothing.",
    "",
    "## What stuck means",
    "",
    "Something should happen to the import, and nothing has for longer than it ever takes by itself. An import that a person paused is not",
    "stuck, nor one whose customer has not begun. Of several causes the answer names the one that has lasted longest.",
    "",
    "| cause | after | waits for | what it says |",
    "| --- | --- | --- | --- |",
    ...Object.entries(stuckCauses).map(
      ([cause, { after, waitsFor, text }]) => `| \`${cause}\` | ${after} | ${waitsFor} | ${cell(text)} |`,
    ),
    "",
    "## Sign-in",
    "",
    "For browsers; these need no session.",
    "",
    ...visitorOperations.flatMap(describeVisitor),
    ...areas.flatMap((area) => [
      `## ${titles[area]}`,
      "",
      ...operations.filter((each) => each.area === area).flatMap(describe),
    ]),
  ]
    .join("\n")
    .trimEnd()}\n`;
