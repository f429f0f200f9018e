import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The part of a commander program that this check reads. */
export interface CommandLike {
  name(): string;
  aliases(): readonly string[];
  readonly commands: readonly CommandLike[];
  readonly options: readonly { readonly long?: string | undefined | null }[];
}

export interface ShellNeeds {
  readonly root: string;
  /** The names of the scripts in package.json. */
  readonly scripts: readonly string[];
  /** The `portage` program; if undefined, the check skips its commands. */
  readonly program: CommandLike | undefined;
}

const commandsOf = (code: string): readonly string[] =>
  code
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, ""))
    .flatMap((line) => line.split(/&&|\|\||[;|&]|\$\(|`/))
    .map((command) => command.trim())
    .filter((command) => command !== "");

const answersTo = (word: string) => (command: CommandLike) =>
  command.name() === word || command.aliases().includes(word);

const portageProblems = (program: CommandLike, words: readonly string[]): string[] => {
  const problems: string[] = [];
  const path = ["portage"];
  const known = new Set(["--help", "--version"]);
  let at = program;
  for (const word of words) {
    for (const { long } of at.options) if (long) known.add(long);
    if (word.startsWith("--")) {
      const name = word.replace(/=.*/, "");
      if (name !== "--" && !known.has(name)) problems.push(`${path.join(" ")} has no option ${name}`);
    } else if (!word.startsWith("-") && at.commands.length > 0) {
      const next = at.commands.find(answersTo(word));
      if (!next) return [...problems, `${path.join(" ")} has no command ${word}`];
      path.push(word);
      at = next;
    }
  }
  if (words.length === 0 || at.commands.length === 0 || words.includes("--help")) return problems;
  return [
    ...problems,
    `${path.join(" ")} needs one of its commands: ${at.commands.map((c) => c.name()).join(", ")}`,
  ];
};

/** The words behind `portage` that a container runs; undefined: it runs something else. */
const inContainer = (words: readonly string[]): readonly string[] | undefined => {
  const [first = ""] = words;
  if (first !== "docker" && first !== "podman" && first !== "kubectl") return undefined;
  const at = words.findLastIndex(
    (word, index) => word === "portage" && /^(api|worker|migrate|--)$/.test(words[index - 1] ?? ""),
  );
  return at === -1 ? undefined : words.slice(at + 1);
};

const commandProblems = (command: string, { root, scripts, program }: ShellNeeds): string[] => {
  const words = command.split(/\s+/);
  // VARIABLE=value prefixes, and runners such as npx
  while (/^[A-Z_][A-Z0-9_]*=/.test(words[0] ?? "") || words[0] === "npx" || words[0] === "sudo")
    words.shift();
  const [first = "", second = "", ...rest] = words;
  if (first === "npm" && (second === "run" || second === "test" || second === "start")) {
    const script = second === "run" ? rest.find((word) => !word.startsWith("-")) : second;
    if (!script) return [];
    if (!scripts.includes(script)) return [`package.json has no script ${script}`];
    const separator = rest.indexOf("--");
    if (script !== "portage" || !program || separator === -1) return [];
    return portageProblems(program, rest.slice(separator + 1));
  }
  const contained = inContainer(words);
  if (contained) return program ? portageProblems(program, contained) : [];
  if (first === "portage") return program ? portageProblems(program, words.slice(1)) : [];
  if (first === "node" && /\.[cm]?[jt]s$/.test(second)) {
    if (!existsSync(join(root, second))) return [`there is no file ${second}`];
    if (program && second.endsWith("main/cli.ts")) return portageProblems(program, rest);
  }
  return [];
};

/** The problems of a command inside a sentence, which may name a group of commands. */
export const inlineCommandProblems = (code: string, needs: Omit<ShellNeeds, "root">): readonly string[] => {
  const words = code.split(" ");
  const group = words[0] === "npx" ? words[2] : words[1];
  // "portage api" is also the name of a connection: without npx, only what begins like a command is one.
  const isCommand =
    words[0] === "npx"
      ? words[1] === "portage"
      : words[0] === "portage" && needs.program?.commands.some(answersTo(group ?? ""));
  const isScript = words[0] === "npm" && words[1] === "run";
  if (!isScript && !isCommand) return [];
  return commandProblems(code, { ...needs, root: "." }).filter(
    (problem) => !problem.includes(" needs one of "),
  );
};

/** The problems of a shell block: syntax errors, and scripts or commands that do not exist. */
export const shellProblems = (code: string, needs: ShellNeeds): readonly string[] => {
  const { status, stderr } = spawnSync("bash", ["-n"], { input: code, encoding: "utf8" });
  const syntax = status === 0 ? [] : [`bash: ${stderr.trim()}`];
  return [...syntax, ...commandsOf(code).flatMap((command) => commandProblems(command, needs))];
};
