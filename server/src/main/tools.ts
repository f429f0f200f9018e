import { destinationProtocol, redmine, requestTracker } from "@portage/connectors";
import { createToolRegistry, loadConnectors, type ToolRegistry } from "../features/tools/index.ts";

const ours = [destinationProtocol, redmine, requestTracker];

/** Every tool that this installation can read from or write to: ours, and the packages that the operator allows. */
export const createTools = async (
  packages: readonly string[],
  isOff?: (tool: string) => boolean,
): Promise<ToolRegistry> => createToolRegistry(await loadConnectors(ours, packages, process.cwd()), isOff);
