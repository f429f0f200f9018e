import {
  type DestinationStream,
  type FamilyRecord,
  hasStatus,
  isNumericId,
  recover,
  skipRecord,
} from "@portage/connector-kit";
import { isForbidden } from "./ask.ts";
import { modulesOf } from "./catalog.ts";
import type { RedmineIo, Settings } from "./settings.ts";

type Module = "issue_tracking" | "time_tracking" | "wiki" | "files";

/** A list that belongs to a project; a project that is gone has none. */
export const listOfProject = <T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> =>
  recover(ask(), hasStatus(404), () => []);

/** The same for a source: there is nothing to read in a module that the project has switched off. */
export const listOfModule = <T>(
  io: RedmineIo,
  projectId: string,
  module: Module,
  ask: () => Promise<readonly T[]>,
): Promise<readonly T[]> =>
  recover(listOfProject(ask), isForbidden, async (error) => {
    // Redmine answers any refusal with 403, so only the project's modules tell why.
    if ((await modulesOf(io, projectId))?.has(module)) throw error;
    return [];
  });

type Find = DestinationStream<FamilyRecord, Settings>["find"];

const mustShow = async (io: RedmineIo, projectId: string, module: Module): Promise<void> => {
  const modules = await modulesOf(io, projectId);
  if (modules === null || modules.has(module)) return;
  throw skipRecord("module_off", "The project has switched off the module that shows such records.");
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
      if (isNumericId(parentId) && (found.get(key) ?? []).length === 0) await mustShow(io, parentId, module);
    return found;
  };
