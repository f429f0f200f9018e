import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CodeBlock, readMarkdown } from "../../checks/markdown.ts";
import { createPostgres, type PostgresServer } from "../support/postgres.ts";
import { copyRepository, type RepositoryCopy } from "../support/repository-copy.ts";

const root = join(import.meta.dirname, "../..");
const { blocks } = readMarkdown(readFileSync(join(root, "docs/write-a-connector.md"), "utf8"));

/** Files to write, then a command, then its output. */
interface Step {
  readonly files: readonly CodeBlock[];
  readonly command: CodeBlock;
  readonly shown: CodeBlock;
}

const stepsOf = (all: readonly CodeBlock[]): readonly Step[] =>
  all.flatMap((command, index) => {
    const shown = all[index + 1];
    if (command.language !== "sh" || shown?.language !== "text") return [];
    const before = all.slice(0, index);
    const files = before.slice(before.findLastIndex(({ language }) => language === "sh") + 1);
    return [{ files: files.filter(({ about }) => about !== ""), command, shown }];
  });
const steps = stepsOf(blocks);

let copy: RepositoryCopy;
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await createPostgres();
  postgres.start();
  copy = copyRepository(root);
});
afterAll(() => {
  copy.remove();
  postgres.remove();
});

const failedIn = (text: string) =>
  [...text.matchAll(/^ *× ([a-z-]+): /gm)].map(([, name = ""]) => name).toSorted();

test("every block of the page belongs to a step", () => {
  expect(steps.length).toBeGreaterThan(7);
  const used = new Set(steps.flatMap(({ files, command, shown }) => [...files, command, shown]));
  expect(blocks.filter((block) => !used.has(block)).map(({ line }) => line)).toEqual([]);
});

test.each(steps.map((step) => [step.command.line, step] as const))(
  "line %d: the command ends as the page says",
  async (at, { files, command, shown }) => {
    for (const { about, code } of files) writeFileSync(join(copy.root, about), `${code}\n`);
    const { code, output } = await copy.run(command.code, {
      DATABASE_URL: postgres.url,
      PORTAGE_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
      PUBLIC_URL: "http://127.0.0.1:3999",
    });
    expect(command.about === "fails" ? "fails" : "", output).toBe(code === 0 ? "" : "fails");
    for (const line of shown.code.split("\n")) expect(output).toContain(line);
    if (code !== 0) expect(failedIn(output)).toEqual(failedIn(shown.code));
    // A snapshot after this step; the next test checks all of them.
    if (files.length > 0)
      cpSync(join(copy.root, "connectors/acme-desk"), join(copy.root, `connectors/at-line-${at}`), {
        recursive: true,
      });
  },
);

test("the files of each step compile and pass the linter and the formatter", async () => {
  const alone = { extends: "./tsconfig.json", include: ["connectors/at-line-*/*.ts"], exclude: [] };
  writeFileSync(join(copy.root, "tsconfig.steps.json"), JSON.stringify(alone));
  expect(
    readdirSync(join(copy.root, "connectors")).filter((name) => name.startsWith("at-line-")),
  ).toHaveLength(steps.filter(({ files }) => files.length > 0).length);
  const tidy = await copy.run(
    "PATH=node_modules/.bin:$PATH; tsc -p tsconfig.steps.json; oxlint --deny-warnings connectors/at-line-* test/suites/tools/acme-desk.ts; " +
      "biome format --vcs-enabled=false connectors/at-line-*/*.ts test/suites/tools/acme-desk.ts",
  );
  expect(tidy.code, tidy.output).toBe(0);
});
