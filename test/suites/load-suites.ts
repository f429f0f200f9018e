import { globSync } from "node:fs";
import { join } from "node:path";
import type { ToolSuite } from "./suite.ts";

const folder = join(import.meta.dirname, "tools");

/** One file per tool, named after its connector: a new one needs no list. */
export const loadSuites = async (): Promise<readonly ToolSuite[]> => {
  const files = globSync("*.ts", { cwd: folder }).toSorted();
  const loaded = await Promise.all(
    files.map(async (file) => (await import(join(folder, file))) as { readonly suite: ToolSuite }),
  );
  return loaded.map(({ suite }) => suite);
};
