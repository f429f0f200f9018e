import { ConnectorError } from "@portage/connector-kit";
import { askWholeList } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { isQuiet } from "./quiet.ts";
import { memberRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

const checked = new WeakMap<object, Promise<boolean>>();

/** Whether anybody in a project could get mails about what is written there; groups count as somebody. */
const hasListeners = async (io: RedmineIo, projectId: number): Promise<boolean> => {
  const members = await askWholeList(io, `projects/${projectId}/memberships.json`, "memberships", memberRow);
  const users = await Promise.all(
    members.map(async ({ user }) => (user ? catalogOf(io).user(user.id) : null)),
  );
  return users.some((user) => user === null || !isQuiet(user));
};

/** The project for what belongs to none. It was there before, so its members must not be mailed about the import. */
export const defaultProject = async (io: RedmineIo): Promise<string> => {
  const { project: wanted, notifications } = io.settings;
  const project = wanted ? await catalogOf(io).project(wanted) : null;
  if (!project)
    throw new ConnectorError({
      recovery: "skip-record",
      code: "no_project",
      message: "It belongs to no project, and none was chosen for such records.",
    });
  const listens = checked.get(io.http) ?? hasListeners(io, project.id);
  checked.set(io.http, listens);
  if (notifications === "on" && (await listens))
    throw new ConnectorError({
      recovery: "skip-record",
      code: "would_notify",
      message: `Members of the project “${project.name}” would get mails: choose one without members, or switch off notifications for the time of the import.`,
    });
  return String(project.id);
};
