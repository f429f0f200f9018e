import * as connectors from "@portage/connectors";
import { createToolRegistry, loadConnectors, type ToolRegistry } from "../features/tools/index.ts";

// One that must be given something first is made where that is: it is exported as a function.
const ours = Object.values(connectors).filter((each) => typeof each !== "function");

/** Every tool that this installation can read from or write to: ours, and the packages that the operator allows. */
export const createTools = async (
  packages: readonly string[],
  isOff?: (tool: string) => boolean,
): Promise<ToolRegistry> => createToolRegistry(await loadConnectors(ours, packages, process.cwd()), isOff);
