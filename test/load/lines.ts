// How long connectors are: all lines of their TypeScript without tests. A connector is cheap only if the kit has what
// connectors share, so the bounds judge the kit as much as the connectors.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { prove } from "../support/proof.ts";

const folder = join(import.meta.dirname, "../../connectors");

/** Written before the kit had streams, for tools that are hostile to imports. */
const older: Readonly<Record<string, number>> = { redmine: 3_300, "request-tracker": 2_500 };

/** No tool of their own: a protocol of ours, and files. */
const others = new Set(["csv", "destination-protocol"]);

const filesOf = (name: string): readonly string[] =>
  readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes(".test.") && !file.includes("node_modules"))
    .map((file) => join(folder, name, file));

const linesIn = (file: string) => readFileSync(file, "utf8").split("\n").length - 1;

const isDestination = (files: readonly string[]) =>
  files.some(
    (file) =>
      /^(?:index|manifest)\.ts$/.test(basename(file)) &&
      /roles: \[[^\]]*"destination"/.test(readFileSync(file, "utf8")),
  );

await prove("lines", async (proof) => {
  const lines: Record<string, number> = {};
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )) {
    const files = filesOf(name);
    if (files.length === 0 || others.has(name)) continue;
    const count = files.reduce((sum, file) => sum + linesIn(file), 0);
    const bound = older[name] ?? (isDestination(files) ? 900 : 550);
    proof.holds(`${name} has at most ${bound.toLocaleString("en")} lines`, count <= bound, count);
    lines[name] = count;
  }
  return { lines };
});
