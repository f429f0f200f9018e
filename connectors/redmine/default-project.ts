import { once, skipRecord } from "@portage/connector-kit";
import { askWholeList } from "./ask.ts";
import { projectOf, userOf } from "./catalog.ts";
import { isQuiet } from "./quiet.ts";
import { memberRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

/** Whether a member of the project could get mails about writes there; a group counts as such a member. */
const hasListeners = once(async (io: RedmineIo, projectId: number) => {
  const members = await askWholeList(io, `projects/${projectId}/memberships.json`, "memberships", memberRow);
  const users = await Promise.all(members.map(async ({ user }) => (user ? userOf(io, user.id) : null)));
  return users.some((user) => user === null || !isQuiet(user));
});

/** The project for records without one. It existed before the import, whose writes must not mail its members. */
export const defaultProject = async (io: RedmineIo): Promise<string> => {
  const { project: wanted, notifications } = io.settings;
  const project = wanted ? await projectOf(io, wanted) : null;
  if (!project)
    throw skipRecord(
      "no_project",
      "This record has no project, and the settings name none for such records.",
    );
  if (notifications === "on" && (await hasListeners(io, project.id)))
    throw skipRecord(
      "would_notify",
      `Members of the project “${project.name}” would get mails: choose one without members, or switch off notifications for the time of the import.`,
    );
  return String(project.id);
};
