import { query } from "../../journeys/moves/dump-tables.ts";
import { helpdeskTables as tables } from "../../tools/redmine/copy-tables.ts";
import type { RedmineServer } from "../../tools/redmine/redmine-server.ts";
import type { CopiedRow } from "../proxied/proxied-destination.ts";

interface Row extends Record<string, unknown> {
  readonly key: string | null;
  readonly words: string;
  readonly text: string | null;
  readonly made_at: string;
}

export const redmineStreams: readonly string[] = Object.keys(tables);

export const readCopies = async (
  { database }: Pick<RedmineServer, "database">,
  stream: string,
): Promise<readonly CopiedRow[]> => {
  const rows = await query<Row>(database, tables[stream] ?? "");
  return rows.map(({ key, words, text, made_at }) => ({
    key,
    words,
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
