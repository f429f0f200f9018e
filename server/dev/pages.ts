import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildPlan } from "./children.ts";

const root = join(import.meta.dirname, "../..");
const page = join(root, "web/dist/wizard/index.html");
const slowestBuildMs = 180_000;

/** Builds the wizard's pages, and with `--watch` again on every change; the API reads them from the build folder. */
export const pagesPlan = (folder: string, flags: readonly string[] = []): ChildPlan => {
  const vite = dirname(createRequire(join(root, "web/package.json")).resolve("vite/package.json"));
  return {
    name: "the build of the pages",
    command: process.execPath,
    args: [
      join(vite, "bin/vite.js"),
      "build",
      ...flags,
      "--clearScreen",
      "false",
      "--config",
      join(root, "web/build/wizard.config.ts"),
    ],
    env: process.env,
    logFile: join(folder, "pages.log"),
  };
};

/** Waits for the first build; pages of an earlier build are good enough to start with. */
export const untilPagesBuilt = async (folder: string): Promise<void> => {
  const giveUpAt = performance.now() + slowestBuildMs;
  while (!existsSync(page)) {
    if (performance.now() > giveUpAt)
      throw new Error(`The pages were not built in time. See ${join(folder, "pages.log")}`);
    await sleep(100);
  }
};
