import {
  ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  isConnectorError,
} from "@portage/connector-kit";
import { isForbidden } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import type { RedmineIo, Settings } from "./settings.ts";

export type Module = "issue_tracking" | "time_tracking" | "wiki" | "files";

/** A list that belongs to a project; a project that is gone has none. */
export const listOfProject = async <T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> => {
  try {
    return await ask();
  } catch (error) {
    if (isConnectorError(error) && error.status === 404) return [];
    throw error;
  }
};

/** The same for a source: there is nothing to read in a module that the project has switched off. */
export const listOfModule = async <T>(
  io: RedmineIo,
  projectId: string,
  module: Module,
  ask: () => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  try {
    return await listOfProject(ask);
  } catch (error) {
    // Redmine answers any refusal with 403, so only the project's modules tell why.
    if (!isForbidden(error) || (await catalogOf(io).modules(projectId))?.has(module)) throw error;
    return [];
  }
};

type Find = DestinationStream<FamilyRecord, Settings>["find"];

const mustShow = async (io: RedmineIo, projectId: string, module: Module): Promise<void> => {
  const modules = await catalogOf(io).modules(projectId);
  if (modules === null || modules.has(module)) return;
  throw new ConnectorError({
    recovery: "skip-record",
    code: "module_off",
    message: "The project has switched off the module that shows such records.",
  });
};

/**
 * Redmine's searches leave out what is in an archived project, or in a module that is switched off. So a key that is not found
 * does not exist only if its project shows such records: else this throws.
 */
export const findWhereShown =
  (module: Module, find: Find): Find =>
  async (io, asked) => {
    const found = await find(io, asked);
    for (const { key, parentId = "" } of asked)
      if (/^\d{1,9}$/.test(parentId) && (found.get(key) ?? []).length === 0)
        await mustShow(io, parentId, module);
    return found;
  };
