// The kept outputs under docs/proofs: each stands for a commit of this history, names its command and ends with its result.
// `npm run generate` writes their table, and the list of proofs without one, into docs/proofs/README.md; `npm run docs:check`
// compares both, and finds proofs about which the page says nothing.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { withGenerated } from "./generated-part.ts";

export interface KeptProof {
  readonly file: string;
  readonly commit: string;
  readonly script: string;
  readonly seconds: number | null;
  /** Goals that the run printed as not reached. */
  readonly missed: readonly string[];
}

export type History = (commit: string) => { readonly day: string } | null;

const lastLine = z.looseObject({ proof: z.string(), holds: z.literal(true), seconds: z.number().optional() });

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

/** Reads a kept output; a text says what is wrong with it. */
export const readKeptProof = (
  file: string,
  text: string,
  scripts: readonly string[],
  history: History,
): KeptProof | string => {
  const [first = "", second = "", ...rest] = text.trimEnd().split("\n");
  const commit = /^commit ([0-9a-f]{40})$/.exec(first)?.[1];
  if (commit === undefined) return "its first line does not name a commit";
  if (!history(commit)) return `its commit ${commit.slice(0, 12)} is not in the history: run it again`;
  const [, script, options = ""] = /^\$ npm run ([\w:-]+)( -- .+)?$/.exec(second) ?? [];
  if (script === undefined || !scripts.includes(script)) return "its second line does not name a script";
  if (options.includes("--scale")) return "it was run at a part of its size";
  const result = lastLine.safeParse(parsedJson(rest.at(-1) ?? ""));
  if (!result.success) return "its last line is not a result that holds";
  const missed = rest.flatMap((line) => /^(?:MISSED: )?(.*), NOT REACHED/.exec(line)?.[1] ?? []);
  return { file, commit, script, seconds: result.data.seconds ?? null, missed };
};

const rowOf = (history: History, { file, commit, script, seconds, missed }: KeptProof): string =>
  `| [${basename(file, ".txt")}](${file}) | \`npm run ${script}\` | ${history(commit)?.day ?? ""} | \`${commit.slice(0, 12)}\` | ` +
  `${seconds === null ? "" : Math.round(seconds)} | ${missed.join("; ")} |`;

/** The table of kept runs. */
export const keptTable = (proofs: readonly KeptProof[], history: History): string =>
  [
    "| kept output | command | commit's day | commit | seconds | goals missed |",
    "| --- | --- | --- | --- | --- | --- |",
    ...proofs.map((proof) => rowOf(history, proof)),
  ].join("\n");

const isProof = (script: string) => /^(prove|bench):/.test(script);

/** The proofs of which no run in full is kept. */
export const openClaims = (proofs: readonly KeptProof[], scripts: readonly string[]): string =>
  scripts
    .filter((script) => isProof(script) && !proofs.some((proof) => proof.script === script))
    .map((script) => `- \`npm run ${script}\``)
    .join("\n");

/** The page of the claims, with the parts that are made from the kept outputs. */
const withProofs = (
  page: string,
  proofs: readonly KeptProof[],
  scripts: readonly string[],
  history: History,
) =>
  withGenerated(
    withGenerated(page, "open claims", openClaims(proofs, scripts)),
    "kept runs",
    keptTable(proofs, history),
  );

/** The proofs that are in no table of claims. */
export const unclaimedProofs = (page: string, scripts: readonly string[]): readonly string[] => {
  const claims = page.split("\n").filter((line) => line.startsWith("|") && !line.startsWith("| ["));
  return scripts.filter(
    (script) => isProof(script) && !claims.some((line) => line.includes(`| \`npm run ${script}\` |`)),
  );
};

/** Looks commits up in a repository; only those that its current commit descends from count. */
export const historyOf = (root: string): History => {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const known = new Map<string, ReturnType<History>>();
  return (commit) => {
    const before = known.get(commit);
    if (before !== undefined) return before;
    let found: ReturnType<History> = null;
    try {
      git("merge-base", "--is-ancestor", commit, "HEAD");
      found = { day: git("show", "-s", "--format=%cs", commit) };
    } catch {
      // not an ancestor, or not there at all
    }
    known.set(commit, found);
    return found;
  };
};

const folder = "docs/proofs";

const page = `${folder}/README.md`;

/** What is wrong with the kept outputs and the page of the claims, and what the page should be. */
export const keptProofProblems = (
  root: string,
  scripts: readonly string[],
  history: History,
): { readonly problems: readonly { file: string; message: string }[]; readonly text: string } => {
  const files = globSync("*.txt", { cwd: join(root, folder) }).toSorted();
  const read = files.map((file) => ({
    file: `${folder}/${file}`,
    proof: readKeptProof(file, readFileSync(join(root, folder, file), "utf8"), scripts, history),
  }));
  const proofs = read.flatMap(({ proof }) => (typeof proof === "string" ? [] : [proof]));
  const written = readFileSync(join(root, page), "utf8");
  const text = withProofs(written, proofs, scripts, history);
  const problems = [
    ...read.flatMap(({ file, proof }) => (typeof proof === "string" ? [{ file, message: proof }] : [])),
    ...unclaimedProofs(text, scripts).map((script) => ({
      file: page,
      message: `no table of claims says what npm run ${script} shows`,
    })),
    ...(text === written
      ? []
      : [{ file: page, message: "what is made from the kept runs is old: npm run generate" }]),
  ];
  return { problems, text };
};

export const scriptsOf = (root: string): readonly string[] =>
  Object.keys(
    (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> })
      .scripts,
  );

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const at = () => keptProofProblems(root, scriptsOf(root), historyOf(root));
  writeFileSync(join(root, page), at().text);
  for (const { file, message } of at().problems) console.error(`${file}: ${message}`);
}
