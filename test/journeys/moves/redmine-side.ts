import { redmineApi } from "../../tools/redmine/redmine-api.ts";
import type { RedmineServer } from "../../tools/redmine/redmine-server.ts";
import type { Dump, DumpedRow, Excluded } from "./dump.ts";
import { dumpTables, query } from "./dump-tables.ts";
import type { DestinationSide, SourceSide } from "./side.ts";

type At = Pick<RedmineServer, "url" | "adminKey" | "database">;

const open = "(select id from projects where status in (1, 5))";
const counted: Readonly<Record<string, string>> = {
  users: "select count(*) from users where type = 'User' and status in (1, 2, 3)",
  groups: "select count(*) from projects where status in (1, 5)",
  tickets: `select count(*) from issues where project_id in ${open}`,
  comments: `select count(*) from journals j join issues i on i.id = j.journalized_id
    where j.journalized_type = 'Issue' and j.notes <> '' and i.project_id in ${open}`,
  articles: `select count(*) from wiki_pages p join wikis w on w.id = p.wiki_id where w.project_id in ${open}`,
  attachments: `select count(*) from attachments a where (a.container_type = 'Issue' and exists
      (select from issues i where i.id = a.container_id and i.project_id in ${open}))
    or (a.container_type = 'WikiPage' and exists (select from wiki_pages p join wikis w on w.id = p.wiki_id
      where p.id = a.container_id and w.project_id in ${open}))`,
};

/** What an import changes in a Redmine permanently, or what a mere read changes. */
export const redmineExcluded: readonly Excluded[] = [
  { what: "tokens", why: "sessions: every call with a key may renew its own" },
  { what: "users.last_login_on", why: "of the account whose key is used" },
  {
    what: "user_preferences.others: recently_used_project_ids",
    why: "what the importing account looked at last",
  },
  { what: "users.updated_on", why: "moves with last_login_on" },
];

const tableRules = {
  tables: ["tokens"],
  columns: ["users.last_login_on", "users.updated_on"],
  rows: {},
};

const withoutRecent = ({ others, ...row }: DumpedRow): DumpedRow => ({
  ...row,
  others: String(others).replace(/^:recently_used_project_ids: .*\n/m, ""),
});

const tablesOf = async ({ database }: At): Promise<Dump> => {
  const all = await dumpTables(database, tableRules);
  return { ...all, user_preferences: (all["user_preferences"] ?? []).map(withoutRecent) };
};

const counts = async ({ database }: At) => {
  const found: Record<string, number> = {};
  for (const [stream, sql] of Object.entries(counted))
    found[stream] = Number((await query<{ count: string }>(database, sql))[0]?.count);
  return found;
};

/** The records that Redmine's own interface shows. */
const endpoints = async (at: At): Promise<Dump> => {
  const api = redmineApi(at);
  const issues = (await api.get("issues.json?status_id=*&limit=100&sort=id")) as { issues: DumpedRow[] };
  const projects = (await api.get("projects.json?limit=100&status=1|5")) as {
    projects: (DumpedRow & { id: number })[];
  };
  const users = (await api.get("users.json?status=&limit=100")) as { users: DumpedRow[] };
  const pages: DumpedRow[] = [];
  for (const { id } of projects.projects) {
    const { wiki_pages } = await api
      .get(`projects/${id}/wiki/index.json`)
      .catch(() => ({ wiki_pages: [] as DumpedRow[] }));
    pages.push(...wiki_pages.map((page: DumpedRow) => ({ project: id, ...page })));
  }
  return {
    "GET /issues.json": issues.issues,
    "GET /projects.json": projects.projects,
    "GET /users.json": users.users.map(({ last_login_on: _, updated_on: __, ...user }) => user),
    "GET /projects/:id/wiki/index.json": pages,
  };
};

const host = ({ url }: At) => new URL(url).host;

export const redmineSource = (
  at: At,
  { changes, removes }: { changes: string; removes: string },
): SourceSide => {
  const api = redmineApi(at);
  const idOf = async (subject: string) => {
    const rows = await query<{ id: number; subject: string }>(at.database, "select id, subject from issues");
    const found = rows.find((row) => row.subject === subject);
    if (!found) throw new Error(`No issue “${subject}”.`);
    return found.id;
  };
  return {
    tool: "redmine",
    host: host(at),
    settings: { instanceUrl: at.url, token: at.adminKey },
    disputed: changes,
    counts: () => counts(at),
    async meanwhile() {
      const changed = await idOf(changes);
      const removed = await idOf(removes);
      await api.put(`issues/${changed}.json`, { issue: { notes: "Said later.", priority_id: 5 } });
      const { issue } = await api.post("issues.json", {
        issue: { project_id: "shop", subject: "Came later", description: "After the full migration." },
      });
      await api.remove(`issues/${removed}.json`);
      return {
        disputed: changes,
        changed: [String(changed)],
        added: [String(issue.id)],
        removed: [String(removed)],
      };
    },
  };
};

export const redmineDestination = (at: At, project: string): DestinationSide => {
  const api = redmineApi(at);
  return {
    tool: "redmine",
    host: host(at),
    settings: { instanceUrl: at.url, token: at.adminKey, project },
    counts: () => counts(at),
    dump: async () => ({ ...(await tablesOf(at)), ...(await endpoints(at)) }),
    async edit(subject) {
      const rows = await query<{ id: number; subject: string }>(
        at.database,
        "select id, subject from issues order by id desc",
      );
      const id = rows.find((row) => row.subject === subject)?.id;
      if (id === undefined) throw new Error(`No copy “${subject}”.`);
      const edited = "A person's own words";
      const path = `issues/${id}.json`;
      const { issue: before } = await api.get(`${path}?include=watchers`);
      const { user: editor } = await api.get("users/current.json");
      await api.put(path, { issue: { subject: edited } });
      return {
        stays: async () => (await api.get(path)).issue.subject === edited,
        // Redmine makes the editor of an issue its watcher, and mails watchers about changes, also by a delta.
        mayTell: ({ recipients, subject: title }) =>
          title.includes(edited) && recipients.every((each) => each === editor.mail),
        async putBack() {
          await api.put(path, { issue: { subject } });
          const { issue: after } = await api.get(`${path}?include=watchers`);
          const watched = new Set((before.watchers ?? []).map((one: { id: number }) => one.id));
          for (const one of after.watchers ?? [])
            if (!watched.has(one.id)) await api.remove(`issues/${id}/watchers/${one.id}.json`);
        },
      };
    },
  };
};
