import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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

// Astro can't build with packages outside of its folder; what it needs beside site/ are the sources of the pages.
const runnable = (command: string) =>
  command === "npm run build:site" ? "node site/build/build.ts --pages" : command;

test.each([
  [
    "pages",
    ["npm run build:web", "npm run build:site"],
    ["web/dist/wizard", "site/src/content/docs/partners/webhooks.md"],
  ],
  ["packages", ["npm run build:packages -- sdk"], ["dist/downloads/portage-sdk-*.tgz"]],
])(
  "the %s of the image are built from what the Dockerfile copies, and from nothing else",
  (name, builds, made) => {
    const app = mkdtempSync(join(tmpdir(), "portage-image-"));
    onTestFinished(() => rmSync(app, { recursive: true }));
    const instructions = stage(readDockerfile(readFileSync(join(root, "deploy/Dockerfile"), "utf8")), name);
    for (const { value } of instructions.filter((each) => each.name === "COPY")) {
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
    for (const workspace of ["web", "site"]) {
      const modules = join(root, workspace, "node_modules");
      if (name === "pages" && existsSync(modules)) symlinkSync(modules, join(app, workspace, "node_modules"));
    }
    const commands = instructions
      .filter((each) => each.name === "RUN" && !each.value.startsWith("npm ci "))
      .map(({ value }) => value);
    expect(commands).toEqual(builds);
    for (const command of commands)
      execFileSync("sh", ["-c", runnable(command)], { cwd: app, stdio: "pipe" });
    for (const each of made) expect(globSync(each, { cwd: app }), each).toHaveLength(1);
  },
);
