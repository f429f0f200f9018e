import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildPlan } from "./children.ts";
import { devFolder } from "./kept.ts";

const root = join(import.meta.dirname, "../..");
const page = join(root, "web/dist/wizard/index.html");
const slowestBuildMs = 180_000;

/** Builds the wizard's pages, and again whenever one of their files changes; the API reads them from where they are. */
export const pagesPlan = (env: NodeJS.ProcessEnv): ChildPlan => {
  const vite = dirname(createRequire(join(root, "web/package.json")).resolve("vite/package.json"));
  return {
    name: "the build of the pages",
    command: process.execPath,
    args: [
      join(vite, "bin/vite.js"),
      "build",
      "--watch",
      "--clearScreen",
      "false",
      "--config",
      join(root, "web/build/vite.config.ts"),
    ],
    env,
    logFile: join(devFolder, "pages.log"),
  };
};

/** Pages that were built before are good enough to begin with. */
export const untilPagesBuilt = async (): Promise<void> => {
  const giveUpAt = performance.now() + slowestBuildMs;
  while (!existsSync(page)) {
    if (performance.now() > giveUpAt) throw new Error("The pages were not built in time. See .dev/pages.log");
    await sleep(100);
  }
};
