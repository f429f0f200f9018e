import { createHash } from "node:crypto";
import { query } from "../../journeys/moves/dump-tables.ts";
import type { RedmineServer } from "./redmine-server.ts";

const marker = (column: string) => `substring(${column} from '\\(portage:([a-z0-9:_-]{1,64})\\)\\s*$')`;
const when = (column: string) => `extract(epoch from ${column}) * 1000 as made_at`;

const users = `select substring(u.login from '\\.p([0-9a-f]{12})$') as key, e.address as words, null as text, ${when("u.created_on")}
    from users u join email_addresses e on e.user_id = u.id where u.type = 'User'`;
const projects = `select ${marker("description")} as key, name as words, description as text, ${when("created_on")} from projects`;
const issues = `select v.value as key, i.subject as words, i.description as text, ${when("i.created_on")} from issues i
    left join custom_values v on v.customized_type = 'Issue' and v.customized_id = i.id and v.value <> ''
      and v.custom_field_id = (select id from custom_fields where name = 'External ID')`;
const comments = `select ${marker("notes")} as key, notes as words, notes as text, ${when("created_on")} from journals
    where journalized_type = 'Issue' and coalesce(notes, '') <> ''`;
const pages = `select ${marker("c.text")} as key, p.title as words, c.text as text, ${when("p.created_on")}
    from wiki_pages p join wiki_contents c on c.page_id = p.id`;
const attachments = `select ${marker("description")} as key, filename as words, null as text, ${when("created_on")}
    from attachments where container_id is not null`;

/** Every row that could be a copy, from Redmine's tables: its key, a text with the number of its original, and its time. */
export const helpdeskTables: Readonly<Record<string, string>> = {
  users,
  groups: projects,
  tickets: issues,
  comments,
  articles: pages,
  attachments,
};

const projectTables: Readonly<Record<string, string>> = {
  users,
  projects,
  versions: `select ${marker("description")} as key from versions`,
  tasks: issues,
  comments,
  timeEntries: `select ${marker("comments")} as key from time_entries`,
  wikiPages: pages,
  attachments,
};

/** An account's login holds a digest of its key. */
const heldBy = (stream: string, key: string) =>
  stream === "users" ? createHash("sha256").update(key).digest("hex").slice(0, 12) : key;

/** How many copies with a key Redmine has, by its own tables. */
export const countRedmineCopies =
  ({ database }: Pick<RedmineServer, "database">) =>
  async (stream: string, key: string): Promise<number> => {
    const table = helpdeskTables[stream] ?? projectTables[stream];
    if (!table) throw new Error(`No table for ${stream}.`);
    const sql = `select count(*)::int as count from (${table}) as copies where key = $1`;
    const [row] = await query<{ count: number }>(database, sql, [heldBy(stream, key)]);
    return row?.count ?? 0;
  };
