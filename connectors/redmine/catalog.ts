import { ConnectorError } from "@portage/connector-kit";
import { z } from "zod";
import { askList, askOne, askWholeList } from "./ask.ts";
import { type CustomFieldRow, customFieldRow, isVisitor, projectRow, type UserRow, userRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

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

/** The configuration of an instance, loaded at most once per step. */
export interface Catalog {
  /** The owner of the key. Every other endpoint treats a wrong key as an anonymous visitor. */
  account(): Promise<UserRow>;
  trackers(): Promise<readonly Tracker[]>;
  statuses(): Promise<readonly Status[]>;
  priorities(): Promise<readonly Option[]>;
  activities(): Promise<readonly Option[]>;
  roles(): Promise<readonly Role[]>;
  customFields(): Promise<readonly CustomFieldRow[]>;
  /** With memberships; null: no account (a group, a visitor, a removed user). */
  user(id: number): Promise<UserRow | null>;
  /** Drops a cached user after a membership changed. */
  forgetUser(id: number): void;
  userByLogin(login: string): Promise<UserRow | null>;
  project(idOrIdentifier: string): Promise<z.infer<typeof projectRow> | null>;
  /** The names of the modules that a project has switched on; null: the project no longer exists. */
  modules(projectId: string): Promise<ReadonlySet<string> | null>;
}

const lazy = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let held: Promise<T> | undefined;
  return () => {
    held ??= load().catch((error: unknown) => {
      held = undefined;
      throw error;
    });
    return held;
  };
};

const lazyBy = <T>(load: (key: string) => Promise<T>) => {
  const held = new Map<string, () => Promise<T>>();
  return {
    get: (key: string) => {
      const known = held.get(key) ?? lazy(() => load(key));
      held.set(key, known);
      return known();
    },
    forget: (key: string) => held.delete(key),
  };
};

const createCatalog = (io: RedmineIo): Catalog => {
  const users = lazyBy(async (id) => {
    const row = await askOne(io, `users/${id}.json`, "user", userRow, { include: "memberships" });
    return row && isVisitor(row) ? null : row;
  });
  const logins = lazyBy(async (login) => {
    const { rows } = await askList(io, "users.json", "users", userRow, { name: login, limit: 100 });
    return rows.find((row) => row.login.toLowerCase() === login.toLowerCase()) ?? null;
  });
  const projects = lazyBy((id) =>
    askOne(io, `projects/${encodeURIComponent(id)}.json`, "project", projectRow),
  );
  const modules = lazyBy(async (id) => {
    const query = { include: "enabled_modules" };
    const row = await askOne(io, `projects/${id}.json`, "project", modulesRow, query);
    return row && new Set(row.enabled_modules.map(({ name }) => name));
  });
  return {
    account: lazy(async () => {
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
    }),
    trackers: lazy(() => askWholeList(io, "trackers.json", "trackers", trackerRow)),
    statuses: lazy(() => askWholeList(io, "issue_statuses.json", "issue_statuses", statusRow)),
    priorities: lazy(() =>
      askWholeList(io, "enumerations/issue_priorities.json", "issue_priorities", optionRow),
    ),
    activities: lazy(() =>
      askWholeList(io, "enumerations/time_entry_activities.json", "time_entry_activities", optionRow),
    ),
    roles: lazy(async () => {
      const heads = await askWholeList(io, "roles.json", "roles", roleRow);
      const whole = await Promise.all(heads.map(({ id }) => askOne(io, `roles/${id}.json`, "role", roleRow)));
      return whole.filter((role) => role !== null);
    }),
    customFields: lazy(() => askWholeList(io, "custom_fields.json", "custom_fields", customFieldRow)),
    user: (id) => users.get(String(id)),
    forgetUser: (id) => void users.forget(String(id)),
    userByLogin: logins.get,
    project: projects.get,
    modules: modules.get,
  };
};

const catalogs = new WeakMap<object, Catalog>();

/** Cached for one step: nothing is cached between steps. */
export const catalogOf = (io: RedmineIo): Catalog => {
  const known = catalogs.get(io.scope) ?? createCatalog(io);
  catalogs.set(io.scope, known);
  return known;
};
