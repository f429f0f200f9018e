// `npm run check`: everything that must pass before a change is merged, about six minutes on two cores. Arguments
// select parts; --static runs all parts except the tests.
import { join } from "node:path";
import { type Part, runParts } from "./run-parts.ts";

const script = (name: string, ...args: string[]): Part => ({
  name,
  command: ["npm", "run", "--silent", name, ...(args.length > 0 ? ["--", ...args] : [])],
});

const parts: readonly Part[] = [
  script("format:check"),
  script("lint"),
  script("types"),
  script("imports"),
  script("unused"),
  script("lock", "--verify"),
  script("schema", "--verify"),
  script("texts", "--verify"),
  script("docs:check"),
  script("openapi:lint"),
  { ...script("test"), isSlow: true },
];

const isStatic = process.argv.includes("--static");
const wanted = process.argv.slice(2).filter((name) => name !== "--static");
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(
    `No such part: ${unknown.join(", ")}. There are: ${parts.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}
const chosen = parts.filter(({ name }) =>
  isStatic ? name !== "test" : wanted.length === 0 || wanted.includes(name),
);
if (chosen.length === parts.length) console.log("About six minutes on two cores, the tests five of them.");
const failed = await runParts(
  chosen,
  join(import.meta.dirname, ".."),
  (text) => void process.stdout.write(text),
);
console.log(
  failed.length === 0
    ? `All ${chosen.length} parts passed.`
    : `${failed.length} failed: ${failed.join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
