import { ConnectorError, once } from "@portage/connector-kit";
import { z } from "zod";
import { askOne, askWholeList } from "./ask.ts";
import { customFieldRow, isVisitor, projectRow, userRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";
import { userTable } from "./tables.ts";

const trackerRow = z.object({
  id: z.number(),
  name: z.string(),
  default_status: z.object({ id: z.number() }).optional(),
});
const statusRow = z.object({ id: z.number(), name: z.string(), is_closed: z.boolean() });
const optionRow = z.object({
  id: z.number(),
  name: z.string(),
  is_default: z.boolean().default(false),
  active: z.boolean().default(true),
});
const modulesRow = z.object({ enabled_modules: z.array(z.object({ name: z.string() })) });
const roleRow = z.object({
  id: z.number(),
  name: z.string(),
  assignable: z.boolean().default(true),
  permissions: z.array(z.string()).default([]),
});

export type Tracker = z.infer<typeof trackerRow>;
export type Status = z.infer<typeof statusRow>;
export type Option = z.infer<typeof optionRow>;
export type Role = z.infer<typeof roleRow>;

const enumeration = (name: string) =>
  once((io: RedmineIo) => askWholeList(io, `enumerations/${name}.json`, name, optionRow));

/** The owner of the key. Every other endpoint treats a wrong key as an anonymous visitor. */
export const accountOf = once(async (io: RedmineIo) => {
  const answer = await io.http.send({ url: "users/current.json" });
  const { user } = answer.json(z.object({ user: userRow }));
  if (user.login !== "" && user.admin) return user;
  throw new ConnectorError({
    recovery: "reauthorize",
    code: user.login === "" ? "refused" : "not_an_administrator",
    message:
      user.login === ""
        ? "Redmine does not accept this API access key."
        : "This API access key is not an administrator's: Redmine would show only part of the data.",
    setting: "token",
  });
});

export const trackersOf = once((io: RedmineIo) => askWholeList(io, "trackers.json", "trackers", trackerRow));
export const statusesOf = once((io: RedmineIo) =>
  askWholeList(io, "issue_statuses.json", "issue_statuses", statusRow),
);
export const prioritiesOf = enumeration("issue_priorities");
export const activitiesOf = enumeration("time_entry_activities");
export const rolesOf = once(async (io: RedmineIo) => {
  const heads = await askWholeList(io, "roles.json", "roles", roleRow);
  const whole = await Promise.all(heads.map(({ id }) => askOne(io, `roles/${id}.json`, "role", roleRow)));
  return whole.filter((role) => role !== null);
});
export const fieldRowsOf = once((io: RedmineIo) =>
  askWholeList(io, "custom_fields.json", "custom_fields", customFieldRow),
);

/** With memberships; null: no account (a group, a visitor, a removed user). */
export const userOf = once(async (io: RedmineIo, id: number) => {
  const row = await userTable.one(io, id, { include: "memberships" });
  return row && isVisitor(row) ? null : row;
});

export const userByLogin = once(async (io: RedmineIo, login: string) => {
  const { rows } = await userTable.list(io, { name: login, limit: 100 });
  return rows.find((row) => row.login.toLowerCase() === login.toLowerCase()) ?? null;
});

export const projectOf = once((io: RedmineIo, idOrIdentifier: string) =>
  askOne(io, `projects/${encodeURIComponent(idOrIdentifier)}.json`, "project", projectRow),
);

/** The names of the modules that a project has switched on; null: the project no longer exists. */
export const modulesOf = once(async (io: RedmineIo, projectId: string) => {
  const query = { include: "enabled_modules" };
  const row = await askOne(io, `projects/${projectId}.json`, "project", modulesRow, query);
  return row && new Set(row.enabled_modules.map(({ name }) => name));
});
