import { pathToFileURL } from "node:url";
import { join } from "node:path";
import type { BugName } from "./bugs.ts";

/** The environment of a process that runs with a known bug. */
export const withBug = (bug: BugName): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "plant.ts")).href}?bug=${bug}`,
});
