import { ConnectorError } from "@portage/connector-kit";
import { askWholeList } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { isQuiet } from "./quiet.ts";
import { memberRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

const checked = new WeakMap<object, Promise<boolean>>();

/** Whether a member of the project could get mails about writes there; a group counts as such a member. */
const hasListeners = async (io: RedmineIo, projectId: number): Promise<boolean> => {
  const members = await askWholeList(io, `projects/${projectId}/memberships.json`, "memberships", memberRow);
  const users = await Promise.all(
    members.map(async ({ user }) => (user ? catalogOf(io).user(user.id) : null)),
  );
  return users.some((user) => user === null || !isQuiet(user));
};

/** The project for records without one. It existed before the import, whose writes must not mail its members. */
export const defaultProject = async (io: RedmineIo): Promise<string> => {
  const { project: wanted, notifications } = io.settings;
  const project = wanted ? await catalogOf(io).project(wanted) : null;
  if (!project)
    throw new ConnectorError({
      recovery: "skip-record",
      code: "no_project",
      message: "This record has no project, and the settings name none for such records.",
    });
  const listens = checked.get(io.scope) ?? hasListeners(io, project.id);
  checked.set(io.scope, listens);
  if (notifications === "on" && (await listens))
    throw new ConnectorError({
      recovery: "skip-record",
      code: "would_notify",
      message: `Members of the project “${project.name}” would get mails: choose one without members, or switch off notifications for the time of the import.`,
    });
  return String(project.id);
};
