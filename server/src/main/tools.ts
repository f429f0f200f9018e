import * as connectors from "@portage/connectors";
import { createToolRegistry, loadConnectors, type ToolRegistry } from "../features/tools/index.ts";

// A connector exported as a function needs an argument.
const ours = Object.values(connectors).filter((each) => typeof each !== "function");

type Connector = Parameters<typeof loadConnectors>[0][number];

/** For commands that read no files. */
const noFiles: connectors.FileStore = { open: async () => null };

interface ToolsOptions {
  readonly isOff?: (tool: string) => boolean;
  /** The files that customers upload. */
  readonly files?: connectors.FileStore;
}

/** All tools of this installation: the built-in ones and the packages that the operator allows. */
export const createTools = async (
  packages: readonly string[],
  { isOff, files = noFiles }: ToolsOptions = {},
): Promise<ToolRegistry> => {
  const csv = connectors.createCsv({ files }) as unknown as Connector;
  return createToolRegistry(await loadConnectors([...ours, csv], packages, process.cwd()), isOff);
};
