// `npm run prove:files`: runs story/files.proof.test.ts in Chromium and states its result: an Excel sheet of
// 50,000 rows and three CSV files, in three character sets, with three separators, days first and a formula among the texts, uploaded
// with a request cut off. By the tools' own tables each row comes once. `-- --scale 0.01` for small files. Needs root on Debian.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { prove } from "../support/proof.ts";

const root = join(import.meta.dirname, "../..");
const tools = ["stand-in", "redmine"];

await prove("files", async (proof) => {
  const rows = proof.size(50_000, 60);
  const tests = spawn(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "files"],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, FILES_ROWS: String(rows) } },
  );
  const moved: { readonly tool: string; readonly rows: number }[] = [];
  const closed = once(tests, "close");
  for await (const line of createInterface({ input: tests.stdout })) {
    proof.say(line);
    const [, figures] = /^files moved: (\{.*\})$/.exec(line) ?? [];
    if (figures !== undefined) moved.push(JSON.parse(figures) as (typeof moved)[number]);
  }
  const [code] = (await closed) as [number | null];
  proof.holds(
    `an Excel sheet of ${rows} rows and three CSV files that join it move by clicks into the stand-in and a real Redmine`,
    code === 0 && tools.every((tool) => moved.some((each) => each.tool === tool && each.rows === rows)),
    moved.map(({ tool }) => tool),
  );
  return { rows, moved };
});
