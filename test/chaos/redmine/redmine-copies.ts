import { query } from "../../journeys/moves/dump-tables.ts";
import type { RedmineServer } from "../../tools/redmine/redmine-server.ts";
import { readSign } from "../../tools/stand-in/sign-record.ts";
import type { Copy } from "./compare-copies.ts";

interface Row extends Record<string, unknown> {
  readonly key: string | null;
  readonly words: string;
  readonly text: string | null;
  readonly made_at: string;
}

const marker = (column: string) => `substring(${column} from '\\(portage:([a-z0-9:_-]{1,64})\\)\\s*$')`;
const when = (column: string) => `extract(epoch from ${column}) * 1000 as made_at`;

/** Every row that could be a copy, from Redmine's tables: its key, and the text with the row number. */
const tables: Readonly<Record<string, string>> = {
  users: `select substring(u.login from '\\.p([0-9a-f]{12})$') as key, e.address as words, null as text, ${when("u.created_on")}
    from users u join email_addresses e on e.user_id = u.id where u.type = 'User'`,
  groups: `select ${marker("description")} as key, name as words, description as text, ${when("created_on")} from projects`,
  tickets: `select v.value as key, i.subject as words, i.description as text, ${when("i.created_on")} from issues i
    left join custom_values v on v.customized_type = 'Issue' and v.customized_id = i.id and v.value <> ''
      and v.custom_field_id = (select id from custom_fields where name = 'External ID')`,
  comments: `select ${marker("notes")} as key, notes as words, notes as text, ${when("created_on")} from journals
    where journalized_type = 'Issue' and coalesce(notes, '') <> ''`,
  articles: `select ${marker("c.text")} as key, p.title as words, c.text as text, ${when("p.created_on")}
    from wiki_pages p join wiki_contents c on c.page_id = p.id`,
  attachments: `select ${marker("description")} as key, filename as words, null as text, ${when("created_on")}
    from attachments where container_id is not null`,
};

/** Users and files carry the row number in a field that every source has. */
const ownWords: Readonly<Record<string, RegExp>> = {
  users: /^person(\d+)@example\.com$/,
  attachments: /^file-(\d+)\.bin$/,
};

export const redmineStreams: readonly string[] = Object.keys(tables);

export const readCopies = async (
  { database }: Pick<RedmineServer, "database">,
  stream: string,
): Promise<readonly Copy[]> => {
  const rows = await query<Row>(database, tables[stream] ?? "");
  const pattern = ownWords[stream];
  const sourceIn = (words: string) =>
    pattern ? (pattern.exec(words)?.[1] ?? null) : readSign(stream, words);
  return rows.map(({ key, words, text, made_at }) => ({
    key,
    sourceId: sourceIn(words),
    text: text ?? "",
    madeAt: Math.round(Number(made_at)),
  }));
};

/** How many copies there are; rows from before the import have no key. */
export const countCopies = async ({ database }: Pick<RedmineServer, "database">): Promise<number> => {
  const each = redmineStreams.map((stream) => `select key from (${tables[stream]}) as ${stream}`);
  const rows = await query<{ count: string }>(
    database,
    `select count(*) from (${each.join(" union all ")}) all_of_them where key is not null`,
  );
  return Number(rows[0]?.count);
};
