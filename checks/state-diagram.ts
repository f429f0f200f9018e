// `npm run diagram` writes docs/import-states.md from the transition table; a test fails when the page is not current.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { statusTexts } from "@portage/contract";
import { transitions } from "../server/src/features/imports/transitions.ts";

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

export const stateDiagramPage = (): string =>
  `# The statuses of an import

Made from the transition table in \`server/src/features/imports/transitions.ts\` by \`npm run diagram\`: change the table, not
this page.

\`\`\`mermaid
stateDiagram-v2
${Object.entries(statusTexts)
  .map(([code, text]) => `  ${code}: ${text}`)
  .join("\n")}
${arrows().join("\n")}
\`\`\`

Rows are tried from top to bottom; the first whose guard holds is taken. An event without a row is refused.

| from | event | guard | to |
| --- | --- | --- | --- |
${tableRows().join("\n")}

Whoever asked and is paid for goes on from "Sample migration completed" to "In preparation" at once, whatever came last, so the
order of sample, request and payment does not matter. A cancelled or archived import keeps its status and takes one event more: the
end of the run that was live.
`;

export const stateDiagramFile = join(import.meta.dirname, "../docs/import-states.md");

if (import.meta.main) writeFileSync(stateDiagramFile, stateDiagramPage());
