import * as ours from "@portage/connectors";
import { createToolRegistry, loadConnectors, type ToolRegistry } from "../features/tools/index.ts";

/** Every tool that this installation can read from or write to: ours, and the packages that the operator allows. */
export const createTools = async (
  packages: readonly string[],
  isOff?: (tool: string) => boolean,
): Promise<ToolRegistry> =>
  createToolRegistry(await loadConnectors(Object.values(ours), packages, process.cwd()), isOff);
