import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Instruction, readDockerfile } from "./dockerfile.ts";

const root = join(import.meta.dirname, "..");

/** The instructions of one stage. */
const stage = (all: readonly Instruction[], name: string): readonly Instruction[] => {
  const start = all.findIndex((each) => each.name === "FROM" && each.value.endsWith(` AS ${name}`));
  const rest = all.slice(start + 1);
  const end = rest.findIndex((each) => each.name === "FROM");
  return rest.slice(0, end === -1 ? rest.length : end);
};

const notCopied = /\/(node_modules|dist|\.astro|src\/content\/docs)(\/|$)/;

test("the pages of the image are built from what the Dockerfile copies, and from nothing else", () => {
  const app = mkdtempSync(join(tmpdir(), "portage-image-"));
  onTestFinished(() => rmSync(app, { recursive: true }));
  const pages = stage(readDockerfile(readFileSync(join(root, "deploy/Dockerfile"), "utf8")), "pages");
  for (const { value } of pages.filter(({ name }) => name === "COPY")) {
    const words = value.split(" ");
    const target = words.pop() ?? "";
    for (const from of words) {
      const to = target.endsWith("/") ? join(app, target, basename(from)) : join(app, target);
      cpSync(join(root, from), to, {
        recursive: true,
        filter: (path) => !notCopied.test(path.slice(root.length)),
      });
    }
  }
  // What `npm ci` installs is this machine's already.
  symlinkSync(join(root, "node_modules"), join(app, "node_modules"));
  for (const name of ["web", "site"]) {
    const modules = join(root, name, "node_modules");
    if (existsSync(modules)) symlinkSync(modules, join(app, name, "node_modules"));
  }
  const commands = pages
    .filter(({ name, value }) => name === "RUN" && !value.startsWith("npm ci "))
    .map(({ value }) => value);
  expect(commands).toEqual(["npm run build:web", "npm run build:site"]);
  execFileSync("npm", ["run", "build:web"], { cwd: app, stdio: "pipe" });
  expect(existsSync(join(app, "web/dist/wizard"))).toBe(true);
  // Astro can't build with packages outside of its folder; what it needs beside site/ are the sources of the pages.
  execFileSync(process.execPath, ["site/build/build.ts", "--pages"], { cwd: app, stdio: "pipe" });
  expect(existsSync(join(app, "site/src/content/docs/partners/webhooks.md"))).toBe(true);
});
