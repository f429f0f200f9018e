// `npm run prove -- NAME [OPTION...]` runs a proof in full and keeps its output in docs/proofs/NAME.txt, with the commit and
// the command. NAME is a script of package.json: the part after "prove:", or "bench:api". `all` runs every proof; without
// a name the command lists the proofs, with the duration of the last kept run.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scalePage } from "./reference/scale-page.ts";

const root = join(import.meta.dirname, "..");
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};
const names = Object.keys(scripts).flatMap((script) => {
  if (script.startsWith("bench:")) return [script];
  return script.startsWith("prove:") ? [script.slice("prove:".length)] : [];
});
const scriptOf = (name: string) => (name.includes(":") ? name : `prove:${name}`);
const keptIn = (name: string) => join(root, "docs/proofs", `${name.replace(":", "-")}.txt`);

/** Shows figures of kept proofs. */
const scaleFile = "docs/operators/scale.md";

/** Read from the last line of a kept proof. */
const secondsOf = (name: string): number | null => {
  if (!existsSync(keptIn(name))) return null;
  const [last = ""] = readFileSync(keptIn(name), "utf8").trim().split("\n").slice(-1);
  return Number(/"seconds":([\d.]+)/.exec(last)?.[1] ?? Number.NaN) || null;
};

const list = () => {
  console.log("Usage: npm run prove -- NAME, or all. Each took, when it was last kept, in seconds:");
  for (const name of names) console.log(`${String(secondsOf(name) ?? "-").padStart(8)}  ${name}`);
  const total = names.reduce((sum, name) => sum + (secondsOf(name) ?? 0), 0);
  console.log(`${String(Math.round(total)).padStart(8)}  total of the known durations`);
};

const prove = (name: string, options: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const words = options.length === 0 ? [] : ["--", ...options];
    const header = `commit ${git("rev-parse", "HEAD")}\n$ ${["npm run", scriptOf(name), ...words].join(" ")}\n`;
    const seconds = secondsOf(name);
    process.stdout.write(
      `${header}${seconds === null ? "" : `(it took ${seconds} s when it was last kept)\n`}`,
    );
    const child = spawn("npm", ["run", "--silent", scriptOf(name), ...words], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      process.stdout.write(chunk);
    });
    child.on("close", (code) => {
      mkdirSync(join(root, "docs/proofs"), { recursive: true });
      if (code === 0) {
        writeFileSync(keptIn(name), header + Buffer.concat(chunks).toString());
        writeFileSync(join(root, scaleFile), scalePage());
        execFileSync(process.execPath, [join(root, "checks/kept-proofs.ts")], { stdio: "inherit" });
      } else process.stdout.write("Not kept: it failed.\n");
      resolve(code === 0);
    });
  });

const [wanted, ...given] = process.argv.slice(2);
if (wanted === undefined) list();
else {
  const chosen = wanted === "all" ? names : [wanted];
  if (!names.includes(chosen[0] ?? ""))
    throw new Error(`No proof ${wanted}. There are: ${names.join(", ")}.`);
  // A proof stands for a commit: uncommitted changes must not affect it.
  const changed = git("status", "--porcelain", "--", ".", ":!docs/proofs", `:!${scaleFile}`);
  if (changed !== "") throw new Error(`Commit first; this is not in the commit:\n${changed}`);
  const failed: string[] = [];
  for (const name of chosen) if (!(await prove(name, given))) failed.push(name);
  if (failed.length > 0) console.log(`Failed: ${failed.join(", ")}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
