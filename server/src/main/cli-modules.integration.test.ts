import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** Prints the address of every module that the process loads, at its end, to stderr. */
const listing = `
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
process.on("exit", () => writeSync(2, loaded.join("\\n")));
`;

const modulesOf = async (...words: readonly string[]) => {
  const { stdout, stderr } = await run(process.execPath, [
    "--import",
    `data:text/javascript,${encodeURIComponent(listing)}`,
    join(import.meta.dirname, "cli.ts"),
    ...words,
  ]);
  return { stdout, loaded: stderr.split("\n") };
};

/** What takes seconds of CPU to load: the database, the connectors, Restate, Fastify, and what stands on them. */
const heavy =
  /\/node_modules\/(pg|kysely|fastify|@restatedev|undici|stripe|zod)\/|\/(connectors|connector-kit|features|http|engine|platform)\//;

test.each([[["--version"]], [["--help"]], [["help"]], [["--json", "--version"]]])(
  "%j loads no command",
  async (words) => {
    const { stdout, loaded } = await modulesOf(...words);
    expect(stdout).not.toBe("");
    expect(loaded.some((url) => url.endsWith("/main/program.ts"))).toBe(true);
    expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
  },
);

test("a command that is named is loaded, and no other", async () => {
  const { stdout, loaded } = await modulesOf("restate", "--help");
  expect(stdout).toContain("key");
  expect(loaded.some((url) => heavy.test(url))).toBe(true);
  const commands = loaded.filter((url) => /\/commands\/(partner|token|doctor|restate)\.ts$/.test(url));
  expect(commands.map((url) => url.split("/").at(-1))).toEqual(["restate.ts"]);
});
