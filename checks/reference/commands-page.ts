import type { Command, Help } from "commander";

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const table = (head: string, rows: readonly (readonly [string, string])[]): readonly string[] =>
  rows.length === 0
    ? []
    : [
        `| ${head} | what it does |`,
        "| --- | --- |",
        ...rows.map(([term, text]) => `| \`${term.replaceAll("|", "\\|")}\` | ${cell(text)} |`),
        "",
      ];

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

const leaves = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

const describe = (command: Command, help: Help, heading: string): readonly string[] => [
  `${heading} ${pathOf(command)}`,
  "",
  `${help.commandDescription(command)}.`,
  "",
  "```text",
  help.commandUsage(command),
  "```",
  "",
  ...table(
    "argument",
    help.visibleArguments(command).map((each) => [help.argumentTerm(each), help.argumentDescription(each)]),
  ),
  ...table(
    "option",
    help
      .visibleOptions(command)
      // every command has it
      .filter(({ long }) => long !== "--help")
      .map((each) => [help.optionTerm(each), help.optionDescription(each)]),
  ),
];

/** docs/operators/commands.md: every command of `portage`, from its own help. */
export const commandsPage = (program: Command): string => {
  const help = program.createHelp();
  const groups = program.commands.map((command) =>
    command.commands.length === 0
      ? describe(command, help, "##")
      : [
          `## ${pathOf(command)}`,
          "",
          `${help.commandDescription(command)}.`,
          "",
          ...leaves(command).flatMap((leaf) => describe(leaf, help, "###")),
        ],
  );
  return `${[
    "# Commands",
    "",
    "Made from the help of `portage` by `npm run docs:generate`: change the commands, not this page.",
    "",
    "In this repository a command runs as `npx portage`; in a container as `portage`. With `--json` it prints one JSON",
    "value on stdout; remarks and errors go to stderr. Exit codes: 0 success, 1 failure or problems found, 2 invalid command line.",
    "",
    ...groups.flat(),
  ]
    .join("\n")
    .trimEnd()}\n`;
};
