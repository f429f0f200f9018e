import type { Database } from "../../platform/db.ts";
import type { Side } from "../imports/index.ts";

export type LinkPurpose = "email" | "admin";

/** A further link to an import, without its token, which is not stored. */
export interface KeptLink {
  readonly id: string;
  readonly purpose: LinkPurpose;
  readonly side: Side | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const columns = `l.id, l.purpose, l.side, l.created_at as "createdAt", l.expires_at as "expiresAt"`;

export interface LinkToInsert {
  readonly id: string;
  readonly importId: string;
  readonly purpose: LinkPurpose;
  readonly side: Side | null;
  readonly tokenHash: Buffer;
  readonly expiresInMs: number;
  readonly underMark: string | null;
  readonly most: number;
}

export type LinkInserted =
  | { readonly kind: "inserted"; readonly link: KeptLink }
  | { readonly kind: "missing" | "too_many" };

export const insertLink = async (db: Database, wanted: LinkToInsert): Promise<LinkInserted> => {
  const { rows } = await db.pool.query<KeptLink & { open: boolean; made: boolean }>(
    `with target as (
       select id, sha256(link_token) as mark from imports
       where id = $2 and closed is null and ($7::text is null or encode(sha256(link_token), 'hex') = $7)
     ), made as (
       insert into import_links as l (id, import_id, purpose, side, token_hash, link_mark, expires_at)
       select $1, t.id, $3, $4, $5, t.mark, now() + $6 * interval '1 millisecond' from target t
       where (select count(*) from import_links e
              where e.import_id = $2 and e.purpose = $3 and e.link_mark = t.mark and e.expires_at > now()) < $8
       returning ${columns}
     )
     select exists (select from target) as open, m.id is not null as made, m.* from (select) one left join made m on true`,
    [
      wanted.id,
      wanted.importId,
      wanted.purpose,
      wanted.side,
      wanted.tokenHash,
      wanted.expiresInMs,
      wanted.underMark,
      wanted.most,
    ],
  );
  const [row] = rows;
  if (!row?.open) return { kind: "missing" };
  const { open: _, made, ...link } = row;
  return made ? { kind: "inserted", link } : { kind: "too_many" };
};

/** The further link that a token belongs to, while it is valid. */
export const findLink = async (
  db: Database,
  importId: string,
  tokenHash: Buffer,
): Promise<KeptLink | undefined> => {
  const { rows } = await db.pool.query<KeptLink>(
    `select ${columns} from import_links l join imports i on i.id = l.import_id
     where l.import_id = $1 and l.token_hash = $2 and l.expires_at > now() and l.link_mark = sha256(i.link_token)`,
    [importId, tokenHash],
  );
  return rows[0];
};

/** The valid further links of an import. */
export const listLinks = async (db: Database, importId: string): Promise<readonly KeptLink[]> => {
  const { rows } = await db.pool.query<KeptLink>(
    `select ${columns} from import_links l join imports i on i.id = l.import_id
     where l.import_id = $1 and l.expires_at > now() and l.link_mark = sha256(i.link_token)`,
    [importId],
  );
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
};

/** Ends a link and every session that it opened. False: this import has no such link. */
export const revokeLink = async (db: Database, importId: string, id: string): Promise<boolean> => {
  const { rowCount } = await db.pool.query("delete from import_links where id = $2 and import_id = $1", [
    importId,
    id,
  ]);
  return (rowCount ?? 0) > 0;
};

export const deleteOldLinks = async (db: Database): Promise<number> => {
  const { rowCount } = await db.pool.query("delete from import_links where expires_at < now()");
  return rowCount ?? 0;
};

/** Ends the mailed links, except the one that opened this session, so that the customer does not lock it out. */
export const revokeMailedLinks = async (
  db: Database,
  importId: string,
  exceptSession: string | null,
): Promise<void> => {
  await db.pool.query(
    `delete from import_links where import_id = $1 and purpose = 'email' and id is distinct from
       (select link_id from wizard_sessions where key_hash = decode($2, 'hex') and import_id = $1)`,
    [importId, exceptSession],
  );
};
