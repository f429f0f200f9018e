import { query } from "../../journeys/moves/dump-tables.ts";
import type { RequestTracker } from "./request-tracker.ts";

/** A key as one word of a text: no prefix of a longer key, and no longer one after its copy was removed. */
const holds = (column: string) => `${column} ~ ('(^|[[:space:](])portage:' || $1 || '($|[[:space:])])')`;

const users = `select id from users where ${holds("comments")}`;
/** A message has several parts, and each file is in a message of its own. */
const messages = `select distinct transactionid from attachments where ${holds("subject")}`;

const tables: Readonly<Record<string, string>> = {
  users,
  contacts: users,
  groups: `select id from queues where ${holds("description")}`,
  tickets: `select t.id from tickets t join objectcustomfieldvalues v
      on v.objecttype = 'RT::Ticket' and v.objectid = t.id and v.disabled = 0
    join customfields f on f.id = v.customfield and f.name = 'External ID'
    where t.status <> 'deleted' and v.content = $1`,
  comments: messages,
  attachments: messages,
  articles: `select id from articles where ${holds("summary")}`,
};

/** How many copies with a key Request Tracker has, by its own tables. */
export const countRtCopies =
  ({ database }: Pick<RequestTracker, "database">) =>
  async (stream: string, key: string): Promise<number> => {
    const table = tables[stream];
    if (!table) throw new Error(`No table for ${stream}.`);
    const sql = `select count(*)::int as count from (${table}) as copies`;
    const [row] = await query<{ count: number }>(database, sql, [key]);
    return row?.count ?? 0;
  };
