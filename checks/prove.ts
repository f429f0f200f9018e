import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs a proof in full and keeps all that it said in docs/proofs/NAME.txt, headed by the commit and the command.
 * NAME is a script of package.json: what follows "prove:", or "bench:api".
 */
const root = join(import.meta.dirname, "..");
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

const name = process.argv[2] ?? "";
if (!/^[a-z:-]+$/.test(name))
  throw new Error("Usage: npm run prove -- NAME (for instance limits, or bench:api)");
// A proof speaks for a commit: what is not in it must not have had a part.
const changed = git("status", "--porcelain", "--", ".", ":!docs/proofs");
if (changed !== "") throw new Error(`Commit first; this is not in the commit:\n${changed}`);

const script = name.includes(":") ? name : `prove:${name}`;
const command = `npm run ${script}`;
const commit = git("rev-parse", "HEAD");
const header = `commit ${commit}\n$ ${command}\n`;
process.stdout.write(header);
const child = spawn("npm", ["run", "--silent", script], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
const chunks: Buffer[] = [];
child.stdout.on("data", (chunk: Buffer) => {
  chunks.push(chunk);
  process.stdout.write(chunk);
});
child.on("close", (code) => {
  mkdirSync(join(root, "docs/proofs"), { recursive: true });
  if (code === 0)
    writeFileSync(
      join(root, "docs/proofs", `${name.replace(":", "-")}.txt`),
      header + Buffer.concat(chunks).toString(),
    );
  else process.stdout.write("Not kept: it failed.\n");
  process.exitCode = code ?? 1;
});
