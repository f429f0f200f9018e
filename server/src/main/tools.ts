import * as connectors from "@portage/connectors";
import { createToolRegistry, loadConnectors, type ToolRegistry } from "../features/tools/index.ts";

// A connector exported as a function needs an argument: the caller that has it creates the connector.
const ours = Object.values(connectors).filter((each) => typeof each !== "function");

/** All tools of this installation: the built-in ones and the packages that the operator allows. */
export const createTools = async (
  packages: readonly string[],
  isOff?: (tool: string) => boolean,
): Promise<ToolRegistry> => createToolRegistry(await loadConnectors(ours, packages, process.cwd()), isOff);
