import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Compiles each text as a module of the repository; one list of messages per text, empty if it compiles. */
export const typescriptProblems = (
  root: string,
  texts: readonly string[],
): readonly (readonly string[])[] => {
  if (texts.length === 0) return [];
  // inside the tree, so that imports of our packages resolve as they do for a reader
  mkdirSync(join(root, ".docs-check"), { recursive: true });
  const folder = mkdtempSync(join(root, ".docs-check/run-"));
  try {
    for (const [index, text] of texts.entries())
      writeFileSync(join(folder, `block-${index}.ts`), `${text}\nexport {};\n`);
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: join(root, "tsconfig.json"), include: ["*.ts"], exclude: [] }),
    );
    const { status, stdout, stderr } = spawnSync(
      join(root, "node_modules/.bin/tsc"),
      ["-p", folder, "--pretty", "false"],
      { cwd: folder, encoding: "utf8" },
    );
    const problems = texts.map((): string[] => []);
    const elsewhere: string[] = [];
    for (const line of stdout.split("\n")) {
      const found = /^block-(\d+)\.ts\((\d+),\d+\): error (.*)$/.exec(line);
      if (found) problems[Number(found[1])]?.push(`line ${found[2]} of the block: ${found[3]}`);
      else if (/error TS/.test(line)) elsewhere.push(line);
    }
    const explained = problems.some((list) => list.length > 0);
    if (elsewhere.length > 0 || (status !== 0 && !explained))
      throw new Error(`tsc failed: ${elsewhere.join("\n") || stderr || stdout || `exit ${status}`}`);
    return problems;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
