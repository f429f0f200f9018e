// `npm run prove:lines`: how long connectors are: all lines of their TypeScript without tests, by role and by what they are for.
// A connector is cheap only if the kit has what connectors share, so the bounds judge the kit as much as the connectors. CI does
// not run it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allConnectors } from "../support/all-connectors.ts";
import { prove } from "../support/proof.ts";
import {
  addCounts,
  classifyLines,
  type LineCounts,
  purposes,
  type Side,
  sidesOf,
} from "./lines/classify-lines.ts";

const folder = join(import.meta.dirname, "../../connectors");

/** Written before the kit had streams, for tools that are hostile to imports. */
const older: Readonly<Record<string, number>> = { redmine: 3_300, "request-tracker": 2_500 };

/** No tool of their own: a protocol of ours, and files. They are shown, not judged. */
const others = new Set(["csv", "destination-protocol"]);

const textsOf = (name: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes(".test.") && !file.includes("node_modules"))
      .toSorted()
      .map((file) => [file, readFileSync(join(folder, name, file), "utf8")]),
  );

const totalOf = (counts: LineCounts) => purposes.reduce((sum, each) => sum + counts[each], 0);
const shown = (count: number) => count.toLocaleString("en");

await prove("lines", async (proof) => {
  const lines: Record<string, number> = {};
  const parts: Record<string, unknown> = {};
  for (const { manifest } of allConnectors) {
    const { name, roles } = manifest;
    const texts = textsOf(name);
    const sides = sidesOf(texts, roles);
    const counts = new Map([...texts].map(([file, text]) => [file, classifyLines(file, text)]));
    const sumOf = (is: (file: string) => boolean) =>
      addCounts([...counts].flatMap(([file, each]) => (is(file) ? [each] : [])));
    const all = sumOf(() => true);
    const bySide = Object.fromEntries(
      (["source", "destination", "shared"] satisfies Side[]).map((side) => [
        side,
        totalOf(sumOf((file) => sides.get(file) === side)),
      ]),
    );
    const total = totalOf(all);
    const list = (values: Readonly<Record<string, number>>) =>
      Object.entries(values)
        .map(([what, count]) => `${what} ${shown(count)}`)
        .join(", ");
    proof.say(`${name}: ${shown(total)} lines: ${list(bySide)}`);
    proof.say(`  for ${list(all)}`);
    lines[name] = total;
    parts[name] = { ...bySide, for: all };
    if (others.has(name)) continue;
    const bound = older[name] ?? (roles.includes("destination") ? 900 : 550);
    proof.aims(`${name} has at most ${shown(bound)} lines`, total <= bound, total);
  }
  return { lines, parts };
});
