// Hot: every request of the wizard looks up its session.
import type { Database } from "../../platform/db.ts";
import type { KeptLink } from "./store.ts";

export interface SessionToInsert {
  readonly importId: string;
  readonly linkMark: string;
  readonly linkId: string | null;
  readonly keyHash: Buffer;
  readonly idleMs: number;
  readonly longestMs: number;
  readonly most: number;
}

/** False: the import's own link was replaced, or the further link is gone. */
export const insertCustomerSession = async (db: Database, wanted: SessionToInsert): Promise<boolean> => {
  const { rowCount } = await db.pool.query(
    `with gone as (
       delete from wizard_sessions where key_hash in (
         select key_hash from wizard_sessions where import_id = $1 order by import_id, created_at desc offset $7)
     ), bounds as (
       select i.id, sha256(i.link_token) as mark,
         least(now() + $6 * interval '1 millisecond', l.expires_at) as ends_at
       from imports i left join import_links l on l.id = $3 and l.import_id = i.id and l.expires_at > now()
       where i.id = $1 and encode(sha256(i.link_token), 'hex') = $2 and ($3::text is null or l.id is not null)
     )
     insert into wizard_sessions (key_hash, import_id, link_id, link_mark, expires_at, ends_at)
     select $4, id, $3, mark, least(now() + $5 * interval '1 millisecond', ends_at), ends_at from bounds`,
    [
      wanted.importId,
      wanted.linkMark,
      wanted.linkId,
      wanted.keyHash,
      wanted.idleMs,
      wanted.longestMs,
      wanted.most - 1,
    ],
  );
  return rowCount === 1;
};

/** A session is valid while the import's own link is unchanged and its further link, if any, still exists. */
const alive = `s.expires_at > now() and s.link_mark = sha256(i.link_token) and (s.link_id is null or l.expires_at > now())`;
const joined = `wizard_sessions s join imports i on i.id = s.import_id left join import_links l on l.id = s.link_id`;

export interface LiveCustomerSession {
  readonly link: Pick<KeptLink, "purpose" | "side"> | null;
  readonly leftMs: number;
  readonly mayGrow: boolean;
}

export const findCustomerSession = async (
  db: Database,
  importId: string,
  keyHash: Buffer,
): Promise<LiveCustomerSession | undefined> => {
  const { rows } = await db.pool.query<
    Omit<LiveCustomerSession, "link"> & { purpose: KeptLink["purpose"] | null; side: KeptLink["side"] }
  >({
    name: "live-session",
    text: `select l.purpose, l.side, extract(epoch from s.expires_at - now())::float8 * 1000 as "leftMs",
             s.expires_at < s.ends_at as "mayGrow"
           from ${joined} where s.key_hash = $1 and s.import_id = $2 and ${alive}`,
    values: [keyHash, importId],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { purpose, side, leftMs, mayGrow } = row;
  return { link: purpose && { purpose, side }, leftMs, mayGrow };
};

export const prolongCustomerSession = async (
  db: Database,
  keyHash: Buffer,
  idleMs: number,
): Promise<void> => {
  await db.pool.query(
    `update wizard_sessions set expires_at = least(now() + $2 * interval '1 millisecond', ends_at)
     where key_hash = $1 and expires_at > now()`,
    [keyHash, idleMs],
  );
};

/** Which of these sessions, given by their hex hashes, are still valid. */
export const liveSessions = async (db: Database, hashes: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await db.pool.query<{ hash: string }>({
    name: "live-sessions",
    text: `select encode(s.key_hash, 'hex') as hash
           from unnest($1::text[]) u(hash)
           cross join lateral (select * from wizard_sessions w where w.key_hash = decode(u.hash, 'hex') offset 0) s
           join imports i on i.id = s.import_id left join import_links l on l.id = s.link_id
           where ${alive}`,
    values: [hashes],
  });
  return new Set(rows.map(({ hash }) => hash));
};

export const deleteOldSessions = async (db: Database): Promise<number> => {
  const { rowCount } = await db.pool.query("delete from wizard_sessions where expires_at < now()");
  return rowCount ?? 0;
};
