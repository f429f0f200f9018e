import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkDocumentation, documentationFiles, sitePageProblems } from "./documentation.ts";

const repository = join(import.meta.dirname, "..");
let root: string;

const program = () => {
  const portage = new Command("portage");
  portage.command("migrate");
  portage.command("partner").command("create").alias("add").option("--name <text>");
  return portage;
};

const block = (language: string, ...lines: string[]) =>
  ["```", language, "\n", lines.join("\n"), "\n```\n"].join("");

const problemsOf = (markdown: string, withProgram = true): readonly string[] => {
  writeFileSync(join(root, "README.md"), markdown);
  const { problems } = checkDocumentation(root, ["README.md"], withProgram ? program() : undefined);
  return problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "portage-docs-"));
  mkdirSync(join(root, "docs/adr"), { recursive: true });
  writeFileSync(join(root, "docs/glossary.md"), "# Words\n\n## What a **run** is\n");
  writeFileSync(join(root, "docs/adr/0001-a.md"), "# A\n");
  writeFileSync(
    join(root, "package.json"),
    '{"type":"module","scripts":{"dev":"x","check":"x","portage":"x"}}',
  );
  copyFileSync(join(repository, "tsconfig.json"), join(root, "tsconfig.json"));
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
});

afterAll(() => rmSync(root, { recursive: true }));

describe("accepts correct documentation", () => {
  test.each([
    [
      "ts",
      block(
        "ts",
        'import { families } from "@portage/contract";',
        "export const first: string = families[0];",
      ),
    ],
    ["json", block("json", '{"a":1}')],
    ["yaml", block("yaml", "a: [1, 2]")],
    ["scripts", block("sh", "npm run dev", "npm run --silent check # all of it")],
    [
      "commands",
      block("sh", "npx portage migrate", 'portage partner create --name "Acme" && portage --help'),
    ],
    ["an alias", block("sh", "npm run portage -- partner add --name=Acme")],
    [
      "languages that are only shown",
      ["text", "mermaid", "sql", "http", "typescript"].map((one) => block(one, "{{{")).join(""),
    ],
    [
      "a file that the page's own test compiles",
      `\`docs/acme/index.ts\`\n\n${block("ts docs/acme/index.ts", "nothing here fits")}`,
    ],
    [
      "links",
      "# Here\n\n[a](docs/glossary.md#what-a-run-is) [b](https://example.com/x#y) [c](#here)\n\n[d]: docs/adr\n",
    ],
    [
      "what sentences name",
      "Run `npx portage partner create`, `portage partner` or `npm run dev`. A `portage api` is no command, and `README.md`, `docs/adr/*.md`, " +
        "`out/of/sight.ts` and `x.integration.test.ts` are fine, so is `npx portage\npartner create`.\n",
    ],
    ["a command in a container", block("sh", "docker compose exec api portage partner create")],
    ["an anchor of the second heading with the same words", "# A b\n## A `b`\n\n[a](#a-b-1)\n"],
    ["a link shown as code", "`[a](nowhere.md)`\n\n" + block("text", "[a](nowhere.md)")],
  ])("%s", (_name, markdown) => {
    mkdirSync(join(root, "test/journeys"), { recursive: true });
    writeFileSync(join(root, "test/journeys/README.test.ts"), "");
    expect(problemsOf(markdown)).toEqual([]);
    rmSync(join(root, "test"), { recursive: true });
  });
});

describe("finds mistakes, with their line", () => {
  test.each([
    [
      "ts that does not compile",
      block("ts", "export const n: number = 'x';"),
      /^README\.md:1: line 1 .*TS2322/,
    ],
    [
      "ts that imports what is not exported",
      block("ts", 'import { nope } from "@portage/contract";', "nope();"),
      /TS2305/,
    ],
    ["json that does not parse", block("json", "{a:1}"), /^README\.md:1: .*JSON/],
    ["yaml that does not parse", block("yaml", "a: [1"), /^README\.md:1: /],
    [
      "a script that does not exist",
      `text\n\n${block("sh", "npm run nothing")}`,
      /^README\.md:3: .*no script nothing/,
    ],
    ["a script behind another command", block("sh", "cd x && npm run nothing"), /no script nothing/],
    ["a command that does not exist", block("sh", "portage fly"), /portage has no command fly/],
    [
      "a subcommand that does not exist",
      block("sh", "npx portage partner fly"),
      /portage partner has no command fly/,
    ],
    ["a command without its subcommand", block("sh", "portage partner"), /needs one of its commands: create/],
    [
      "an option that does not exist",
      block("sh", "portage migrate --fast"),
      /portage migrate has no option --fast/,
    ],
    [
      "an option of a command in a container",
      block("sh", "docker compose --file x exec --no-TTY api portage migrate --fast < x"),
      /portage migrate has no option --fast/,
    ],
    [
      "a command in a pod",
      block("sh", "kubectl --namespace portage exec deployment/api -- portage fly"),
      /portage has no command fly/,
    ],
    [
      "a command in a sentence",
      "One\n\ntwo `npx portage fly`\n",
      /^README\.md:3: portage has no command fly/,
    ],
    ["an option in a sentence", "`portage migrate --fast`\n", /portage migrate has no option --fast/],
    ["a script in a sentence", "`npm run nothing`\n", /no script nothing/],
    ["a file in a sentence", "`docs/gone.md`\n", /no file docs\/gone\.md/],
    ["a test in a sentence", "`gone.integration.test.ts`\n", /no test gone\.integration\.test\.ts/],
    ["a command through npm", block("sh", "npm run portage -- fly"), /portage has no command fly/],
    [
      "a file that does not exist",
      block("sh", "DATABASE_URL=x node server/nothing.ts"),
      /no file server\/nothing\.ts/,
    ],
    ["shell that does not parse", block("sh", "if true; then"), /bash: /],
    ["a language that nothing checks", block("python", "print(1)"), /nothing checks a block in "python"/],
    ["no language at all", block("", "anything"), /nothing checks a block in ""/],
    ["a fence that is never closed", "```ts\nexport {};\n", /nothing checks a block in "\(never closed\)"/],
    [
      "a file that no test compiles",
      block("ts connectors/acme/index.ts", "export {};"),
      /nothing compiles connectors\/acme\/index\.ts: there is no test\/journeys\/README\.test\.ts/,
    ],
    [
      "a link to nothing",
      "one\n[a](docs/gone.md)\n",
      /^README\.md:2: the link docs\/gone\.md points at nothing/,
    ],
    [
      "a link to no heading of this page",
      "# Here\n\n[a](#there)\n",
      /#there points at no heading of README\.md/,
    ],
    [
      "a link to no heading of another page",
      "[a](docs/glossary.md#what-a-walk-is)\n",
      /points at no heading of docs\/glossary\.md/,
    ],
    ["an anchor that is only in code", "```text\n# Here\n```\n[a](#here)\n", /points at no heading/],
    ["a link out of the repository", "[a](../elsewhere.md)\n", /leaves the repository/],
    ["a definition of a link to nothing", "[a]: gone.md\n", /gone\.md points at nothing/],
  ])("%s", (_name, markdown, expected) => {
    const problems = problemsOf(markdown);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });
});

test("reports the error of one ts block for that block only", () => {
  const markdown = [block("ts", "export const a = 1;"), block("ts", "export const b: string = 1;")].join(
    "\n",
  );
  expect(problemsOf(markdown)).toEqual([expect.stringMatching(/^README\.md:5: line 1 of the block/)]);
});

test("skips portage commands without a program, and checks the rest", () => {
  expect(problemsOf(block("sh", "portage fly", "npm run nothing"), false)).toEqual([
    expect.stringContaining("no script nothing"),
  ]);
});

test("checks only the links of a file whose blocks another test runs", () => {
  writeFileSync(join(root, "other.md"), `${block("python", "print(1)")}[a](gone.md)\n`);
  const { problems } = checkDocumentation(root, [], program(), ["other.md"]);
  expect(problems.map(({ message }) => message)).toEqual(["the link gone.md points at nothing"]);
  rmSync(join(root, "other.md"));
});

test("finds documents that are on no page of the site, and pages without a document", () => {
  const messages = sitePageProblems(root).map(({ file, message }) => `${file}: ${message}`);
  writeFileSync(join(root, "docs/new.md"), "# New\n");
  expect(sitePageProblems(root).map(({ file, message }) => `${file}: ${message}`)).toEqual(
    expect.arrayContaining([
      ...messages,
      "docs/new.md: it is on no page of the site: add it to site/pages.ts",
    ]),
  );
  expect(messages).toContain("docs/webhooks.md: site/pages.ts names it, but it is not there");
  rmSync(join(root, "docs/new.md"));
});

test("reads every Markdown file of the root, docs and deploy", () => {
  expect(documentationFiles(root)).toEqual(["README.md", "docs/adr/0001-a.md", "docs/glossary.md"]);
});
