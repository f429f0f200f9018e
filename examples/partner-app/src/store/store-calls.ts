import type { DatabaseSync } from "node:sqlite";

/** Records the calls of the last minutes. False: this call was received before. */
export const rememberCall = (database: DatabaseSync, id: string, now: number, keepMs: number): boolean => {
  database.prepare("delete from seen_calls where seen_at < ?").run(now - keepMs);
  return (
    database.prepare("insert or ignore into seen_calls (id, seen_at) values (?, ?)").run(id, now).changes ===
    1
  );
};

export const personByEmail = (database: DatabaseSync, email: string, exceptKey: string): string | null => {
  const found = database
    .prepare(
      "select id from users where email = ? collate nocase and (external_key is null or external_key <> ?) order by id limit 1",
    )
    .get(email, exceptKey);
  return found ? String(found.id) : null;
};

/** Creates the desk's owner on the first start. */
export const ensureOwner = (database: DatabaseSync, name: string, email: string, at: string): void => {
  if (database.prepare("select 1 from users limit 1").get()) return;
  database
    .prepare("insert into users (name, email, role, created_at, updated_at) values (?, ?, 'admin', ?, ?)")
    .run(name, email, at, at);
};

/** The people who can be matched, ordered by id, after a given id. */
export const peoplePage = (database: DatabaseSync, after: string | null, limit: number) =>
  database
    .prepare("select id, name, email, active from users where id > ? order by id limit ?")
    .all(Number(after ?? 0) || 0, limit)
    .map(({ id, name, email, active }) => ({
      id: String(id),
      name: String(name),
      email: email as string | null,
      active: active === 1,
    }));
