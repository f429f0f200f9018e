import { isNumericId, type Who } from "@portage/connector-kit";
import { send } from "./ask.ts";
import { accountOf, type Role, rolesOf, userOf } from "./catalog.ts";
import { mayInvolve } from "./quiet.ts";
import type { UserRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

const active = 1;

const useful = ["add_issues", "add_issue_notes", "log_time", "edit_wiki_pages", "view_issues"];

/** The role for members of copied projects: the permissions of an author, and as few others as possible. */
const memberRole = async (io: RedmineIo): Promise<Role | undefined> => {
  const roles = await rolesOf(io);
  const chosen = roles.find(({ name }) => name === io.settings.memberRole);
  const fit = ({ assignable, permissions }: Role) =>
    (assignable ? 10 : 0) + useful.filter((each) => permissions.includes(each)).length;
  return (
    chosen ?? roles.toSorted((a, b) => fit(b) - fit(a) || a.permissions.length - b.permissions.length)[0]
  );
};

const rolesIn = (user: UserRow, projectId: string) =>
  user.memberships.filter(({ project }) => String(project.id) === projectId).flatMap(({ roles }) => roles);

/** Makes a user a member, unless they are one or must not be involved; returns whether they are one now. */
export const ensureMember = async (io: RedmineIo, user: UserRow, projectId: string): Promise<boolean> => {
  if (rolesIn(user, projectId).length > 0) return true;
  const role = await memberRole(io);
  if (!role || user.status !== active || !mayInvolve(io, user)) return false;
  // 422: another request did so at the same time, or the project is closed. The caller goes on without the member.
  await send(io, {
    url: `projects/${projectId}/memberships.json`,
    method: "POST",
    json: { membership: { user_id: user.id, role_ids: [role.id] } },
    idempotent: true,
    auxiliary: true,
    accept: [403, 404, 422],
  });
  userOf.forget(io, user.id);
  const now = await userOf(io, user.id);
  return now !== null && rolesIn(now, projectId).length > 0;
};

/** The active Redmine user behind `who`, if the import may involve them; else null. */
export const involved = async (
  io: RedmineIo,
  who: Pick<Who, "stream" | "id"> | null,
): Promise<UserRow | null> => {
  if (who?.stream !== "users" || who.id === null || !isNumericId(who.id)) return null;
  const user = await userOf(io, Number(who.id));
  return user && user.status === active && mayInvolve(io, user) ? user : null;
};

/**
 * The login to write as, in the name of `who`; null: the administrator. Redmine silently drops what a user has no
 * permission for, so this checks the permissions first.
 */
export const loginFor = async (
  io: RedmineIo,
  who: Who | null,
  projectId: string,
  permissions: readonly string[],
): Promise<string | null> => {
  const user = await involved(io, who);
  if (!user) return null;
  if (user.id === (await accountOf(io)).id) return null;
  if (user.admin) return user.login;
  if (!(await ensureMember(io, user, projectId))) return null;
  const roles = await rolesOf(io);
  const own = rolesIn((await userOf(io, user.id)) ?? user, projectId);
  const may = (permission: string) =>
    own.some(({ id }) => roles.find((role) => role.id === id)?.permissions.includes(permission));
  return permissions.every(may) ? user.login : null;
};

/** The account that Redmine names as the author of a write. */
export const authorOf = async (
  io: RedmineIo,
  who: Who | null,
  login: string | null,
): Promise<{ readonly id: number; readonly name: string }> => ({
  id: login === null ? (await accountOf(io)).id : Number(who?.id),
  name: "",
});

/** Whether a write as `login` is in `who`'s own name. */
export const isOwn = async (io: RedmineIo, who: Who | null, login: string | null): Promise<boolean> =>
  login !== null || (who?.stream === "users" && who.id === String((await accountOf(io)).id));
