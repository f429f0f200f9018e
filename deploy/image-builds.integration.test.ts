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

const notCopied = /\/(node_modules|dist)(\/|$)/;

test.each([
  ["pages", "npm run build:web", "web/dist/wizard"],
  ["packages", "npm run build:packages -- sdk", "dist/downloads/portage-sdk-*.tgz"],
])(
  "the %s of the image are built from what the Dockerfile copies, and from nothing else",
  (name, build, made) => {
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
    const webModules = join(root, "web/node_modules");
    if (name === "pages" && existsSync(webModules)) symlinkSync(webModules, join(app, "web/node_modules"));
    const commands = instructions
      .filter((each) => each.name === "RUN" && !each.value.startsWith("npm ci "))
      .map(({ value }) => value);
    expect(commands).toEqual([build]);
    for (const command of commands) execFileSync("sh", ["-c", command], { cwd: app, stdio: "pipe" });
    expect(globSync(made, { cwd: app })).toHaveLength(1);
  },
);
