// The statuses of an import, from the transition table.
import { statusTexts } from "@portage/contract";
import { transitions } from "../../server/src/features/imports/transitions.ts";

const words = (name: string) => name.replaceAll("_", " ");

const arrows = () => [
  "  [*] --> collecting_credentials: created",
  ...transitions.flatMap(({ from, on, guard, to }) =>
    to === "same" || from === "any"
      ? []
      : from.map((status) => `  ${status} --> ${to}: ${words(on)}${guard ? ` [${guard}]` : ""}`),
  ),
  "  sample_completed --> in_preparation: at once [asked and paid]",
];

const tableRows = () =>
  transitions.map(({ from, on, guard, to }) => {
    const status = from === "any" ? "any" : from.map((code) => statusTexts[code]).join(", ");
    return `| ${status} | ${words(on)} | ${guard ?? ""} | ${to === "same" ? "remembered, no move" : statusTexts[to]} |`;
  });

export const statusesPage = (): string =>
  `# The statuses of an import

Made from the transition table in \`server/src/features/imports/transitions.ts\` by \`npm run docs:generate\`: change the
table, not this page.

\`\`\`mermaid
stateDiagram-v2
${Object.entries(statusTexts)
  .map(([code, text]) => `  ${code}: ${text}`)
  .join("\n")}
${arrows().join("\n")}
\`\`\`

The first row from the top whose guard holds applies. The machine refuses an event without a row.

| from | event | guard | to |
| --- | --- | --- | --- |
${tableRows().join("\n")}

An import that is requested and paid moves from "Sample migration completed" to "In preparation" at once, so the order
of sample, request and payment does not matter. A cancelled or archived import keeps its status and accepts one more
event: the end of its live run.
`;
