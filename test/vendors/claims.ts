import type { Claim } from "./kit/laws.ts";
import type { VendorTool } from "./tools.ts";

export interface ClaimSummary {
  readonly tool: string;
  readonly shown: number;
  readonly assumed: readonly Claim[];
  readonly undescribed: readonly string[];
}

const isAssumed = ({ marks }: Claim) => marks.every((mark) => mark === "K");

/** What a stand-in takes for true: shown by some source, or assumed. */
export const summarizeClaims = ({ tool, laws, amendments, facts, undescribed }: VendorTool): ClaimSummary => {
  const all: readonly Claim[] = [...Object.values(laws), ...facts, ...amendments];
  return {
    tool,
    undescribed,
    shown: all.filter((claim) => !isAssumed(claim)).length,
    assumed: all.filter(isAssumed),
  };
};

const marksOf = ({ marks }: Claim) => marks.join(" ");

const section = (tool: VendorTool): string => {
  const { shown, assumed, undescribed } = summarizeClaims(tool);
  const laws = Object.entries(tool.laws);
  return [
    `## ${tool.title}`,
    `Held to ${tool.describedBy}: ${tool.plan.operations.length} operations. ${shown} claims are shown by a source, ${assumed.length} are assumed.`,
    `### Pitfalls of ${tool.title}`,
    [
      "| law | what | seen in | marks |",
      "| --- | --- | --- | --- |",
      ...laws.map(([name, law]) => `| \`${name}\` | ${law.says} | ${law.seen} | ${marksOf(law)} |`),
    ].join("\n"),
    `### Assumed of ${tool.title}`,
    assumed.map(({ says }) => `- ${says}.`).join("\n"),
    ...(undescribed.length === 0
      ? []
      : [
          "Nothing describes these operations, so no schema holds the stand-in's answers:",
          undescribed.map((operation) => `- \`${operation}\``).join("\n"),
        ]),
  ].join("\n\n");
};

/** The page for connector authors. */
export const claimsPage = (tools: readonly VendorTool[]): string =>
  `${[
    "# What is known of vendors",
    "Made from `test/vendors` by `npm run docs:generate`: change the laws, facts and amendments there, not this page.",
    `The tests of connectors for tools that can't run here use stand-ins (\`test/vendors/README.md\`). A stand-in can't show more than what
its authors knew: this page lists that, with evidence marks that say where each claim comes from, and what is assumed. Check the assumptions on a trial account before you rely on them.
\`npm run vendor:claims\` prints the same in short.`,
    [
      "| mark | source |",
      "| --- | --- |",
      "| S | the description that the stand-in is held to |",
      "| D | the vendor's documentation |",
      "| A, T, N, G, W | code or pages of others who use the API: Airbyte, Singer taps, Nango, AWS Glue, a copy of the vendor's reference |",
      "| I | an issue that shows it happen |",
      "| K | general knowledge. Alone it is an assumption, which no source shows |",
    ].join("\n"),
    "A pitfall is *seen in* a request if the stand-in records the caller's breach, and in the outcome if a caller that does not know loses or doubles records.",
    "## On a real account",
    `\`npm run live -- zendesk freshdesk intercom\` runs the checks of the conformance suite on real accounts, and compares every answer with the
description. A tool runs if its variable is set: \`PORTAGE_LIVE_ZENDESK\`, \`PORTAGE_LIVE_FRESHDESK\`, \`PORTAGE_LIVE_INTERCOM\`, each with the
connector's settings as JSON. Use a trial account: the suite reads all of it, several times.`,
    [
      "```sh",
      "read -rs PORTAGE_LIVE_INTERCOM && export PORTAGE_LIVE_INTERCOM",
      "npm run live -- intercom",
      "```",
    ].join("\n"),
    [
      "| variable | JSON |",
      "| --- | --- |",
      '| `PORTAGE_LIVE_ZENDESK` | `{"instanceUrl": "https://acme.zendesk.com", "username": "ada@acme.example", "token": "…"}` |',
      '| `PORTAGE_LIVE_FRESHDESK` | `{"instanceUrl": "https://acme.freshdesk.com", "token": "…"}` |',
      '| `PORTAGE_LIVE_INTERCOM` | `{"instanceUrl": "https://app.intercom.com/a/inbox/acme", "token": "…"}` |',
    ].join("\n"),
    `The account is only read: every other request is refused before it is sent, unless \`PORTAGE_LIVE_<TOOL>_WRITES=yes\` allows the checks of a
destination too. The command prints each check, then the drift: what in the answers does not fit the description, by operation and place, without
values. The last line is JSON with \`live\` (accounts asked), \`of\`, \`passed\`, \`failed\`, \`skipped\` and \`drift\`. Failed checks end it with 1, drift does not.
Without a variable the tool is named as not run. Tests and CI have no real accounts.`,
    ...tools.map(section),
  ].join("\n\n")}\n`;
