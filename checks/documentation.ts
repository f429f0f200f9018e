import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { parse as parseYaml } from "yaml";
import { notOnTheSite, sitePages } from "../site/pages.ts";
import { inlineProblems, testNames } from "./inline-code.ts";
import { type CodeBlock, readMarkdown } from "./markdown.ts";
import { type CommandLike, shellProblems } from "./shell-block.ts";
import { typescriptProblems } from "./typescript-blocks.ts";

export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface Checked {
  readonly files: number;
  readonly blocks: number;
  readonly links: number;
  readonly problems: readonly Problem[];
}

/** Languages that this check can't compile, parse or run. "typescript" is a declaration, which its own file compiles. */
const shownOnly = new Set(["text", "mermaid", "sql", "http", "typescript"]);

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const parsed = (parse: () => unknown): readonly string[] => {
  try {
    parse();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
};

const linkProblem = (root: string, file: string, target: string): string | undefined => {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const [name = "", anchor] = target.split("#", 2);
  const path = name === "" ? join(root, file) : join(root, dirname(file), decodeURIComponent(name));
  if (relative(root, path).startsWith("..")) return `the link ${target} leaves the repository`;
  if (!existsSync(path)) return `the link ${target} points at nothing`;
  if (anchor === undefined || !path.endsWith(".md")) return undefined;
  const { anchors } = readMarkdown(readFileSync(path, "utf8"));
  return anchors.has(anchor)
    ? undefined
    : `the link ${target} points at no heading of ${relative(root, path)}`;
};

export const documentationFiles = (root: string): readonly string[] =>
  globSync(["*.md", "docs/**/*.md", "deploy/**/*.md"], { cwd: root }).toSorted();

/** Pages of the site that are missing, and files of docs/ that are on no page. */
export const sitePageProblems = (root: string): readonly Problem[] => {
  const sources = sitePages(root).map(({ source }) => source);
  const missing = sources.filter((source) => !existsSync(join(root, source)));
  const unlisted = globSync("docs/**/*.md", { cwd: root }).filter(
    (file) => !sources.includes(file) && !notOnTheSite.includes(file),
  );
  return [
    ...missing.map((file) => ({ file, line: 1, message: "site/pages.ts names it, but it is not there" })),
    ...unlisted.map((file) => ({
      file,
      line: 1,
      message: "it is on no page of the site: add it to site/pages.ts",
    })),
  ];
};

/** It names commands as they were. */
const isHistory = (file: string) => basename(file) === "CHANGELOG.md";

/**
 * Checks the Markdown files: every block must compile, parse or name existing commands; commands and files that sentences
 * name must exist; every link must resolve. Of `linksOnly` another test runs the blocks.
 */
export const checkDocumentation = (
  root: string,
  files: readonly string[],
  program: CommandLike | undefined,
  linksOnly: readonly string[] = [],
): Checked => {
  const { scripts = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts?: Record<string, string>;
  };
  const needs = { root, scripts: Object.keys(scripts), program, tests: testNames(root) };
  const problems: Problem[] = [];
  const typescript: { file: string; block: CodeBlock }[] = [];
  let blocks = 0;
  let links = 0;

  const blockProblems = (file: string, block: CodeBlock): readonly string[] => {
    const { language, code } = block;
    if (shownOnly.has(language)) return [];
    if (language === "ts" && block.about !== "") {
      // A file of a step-by-step page: only the page's own test can compile it at its step.
      const test = `test/journeys/${basename(file, ".md")}.test.ts`;
      return existsSync(join(root, test)) ? [] : [`nothing compiles ${block.about}: there is no ${test}`];
    }
    if (language === "ts") {
      typescript.push({ file, block });
      return [];
    }
    if (language === "json") return parsed(() => JSON.parse(code) as unknown);
    if (language === "yaml") return parsed(() => parseYaml(code) as unknown);
    if (language === "sh") return shellProblems(code, needs);
    return [`nothing checks a block in "${language}": use ts, json, yaml, sh, ${[...shownOnly].join(", ")}`];
  };

  for (const file of [...files, ...linksOnly]) {
    const read = readMarkdown(readFileSync(join(root, file), "utf8"));
    const checked = linksOnly.includes(file) ? [] : read.blocks;
    blocks += checked.length;
    links += read.links.length;
    for (const block of checked)
      for (const message of blockProblems(file, block)) problems.push({ file, line: block.line, message });
    // What a step-by-step page writes is not there before.
    const written = new Set(read.blocks.map(({ about }) => about));
    if (!isHistory(file))
      for (const { code, line } of read.spans.filter((span) => !written.has(span.code)))
        for (const message of inlineProblems(code, needs)) problems.push({ file, line, message });
    for (const { target, line } of read.links) {
      const message = linkProblem(root, file, target);
      if (message) problems.push({ file, line, message });
    }
  }
  const compiled = typescriptProblems(
    root,
    typescript.map(({ block }) => block.code),
  );
  for (const [index, { file, block }] of typescript.entries())
    for (const message of compiled[index] ?? []) problems.push({ file, line: block.line, message });
  return { files: files.length + linksOnly.length, blocks, links, problems };
};
