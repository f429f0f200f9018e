import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
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

const columns = sql`l.id, l.purpose, l.side, l.created_at, l.expires_at`;

export interface LinkToInsert {
  readonly id: string;
  readonly importId: string;
  readonly purpose: LinkPurpose;
  readonly side: Side | null;
  readonly tokenHash: Buffer;
  readonly expiresInMs: number;
  readonly underMark: string | null;
  readonly mailedTo: Buffer | null;
  readonly most: number;
}

export type LinkInserted =
  | { readonly kind: "inserted"; readonly link: KeptLink }
  | { readonly kind: "missing" | "too_many" };

/**
 * Who replaces the address holds the import's lock, and revokes the mailed links: this waits for the lock before it reads
 * the address, so that no link to a former address is left.
 */
export const insertLink = (
  db: Database,
  { id, importId, purpose, side, tokenHash, expiresInMs, underMark, mailedTo, most }: LinkToInsert,
): Promise<LinkInserted> =>
  db.sql.transaction().execute(async (tx): Promise<LinkInserted> => {
    await sql`select from imports where id = ${importId} for key share`.execute(tx);
    const { rows } = await sql<KeptLink & { open: boolean; made: boolean }>`
      with target as (
        select id, sha256(link_token) as mark from imports
        where id = ${importId} and closed is null
          and (${underMark}::text is null or encode(sha256(link_token), 'hex') = ${underMark})
          and (${mailedTo}::bytea is null
            or exists (select from mail_addresses where import_id = ${importId} and sealed = ${mailedTo}))
      ), made as (
        insert into import_links as l (id, import_id, purpose, side, token_hash, link_mark, expires_at)
        select ${id}, t.id, ${purpose}, ${side}, ${tokenHash}, t.mark, now() + ${expiresInMs} * interval '1 millisecond'
        from target t
        where (select count(*) from import_links e
               where e.import_id = t.id and e.purpose = ${purpose} and e.link_mark = t.mark and e.expires_at > now()) < ${most}
        returning ${columns}
      )
      select exists (select from target) as open, m.id is not null as made, m.* from (select) one left join made m on true`.execute(
      tx,
    );
    const [row] = rows;
    if (!row?.open) return { kind: "missing" };
    const { open: _, made, ...link } = row;
    return made ? { kind: "inserted", link } : { kind: "too_many" };
  });

/** The further link that a token belongs to, while it is valid. */
export const findLink = async (
  db: Database,
  importId: string,
  tokenHash: Buffer,
): Promise<KeptLink | undefined> => {
  const { rows } = await sql<KeptLink>`
    select ${columns} from import_links l join imports i on i.id = l.import_id
    where l.import_id = ${importId} and l.token_hash = ${tokenHash} and l.expires_at > now()
      and l.link_mark = sha256(i.link_token)`.execute(db.sql);
  return rows[0];
};

/** The valid further links of an import. */
export const listLinks = async (db: Database, importId: string): Promise<readonly KeptLink[]> => {
  const { rows } = await sql<KeptLink>`
    select ${columns} from import_links l join imports i on i.id = l.import_id
    where l.import_id = ${importId} and l.expires_at > now() and l.link_mark = sha256(i.link_token)`.execute(
    db.sql,
  );
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
};

/** Ends a link and every session that it opened. False: this import has no such link. */
export const revokeLink = async (db: Database, importId: string, id: string): Promise<boolean> => {
  const deleted = await db.sql
    .deleteFrom("importLinks")
    .where("id", "=", id)
    .where("importId", "=", importId)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
};

export const deleteOldLinks = async (db: Database): Promise<number> => {
  const deleted = await db.sql
    .deleteFrom("importLinks")
    .where("expiresAt", "<", sql<Date>`now()`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};

/** Ends the mailed links, except the one that opened this session, so that the customer does not lock it out. */
export const revokeMailedLinks = async (
  tx: Transaction,
  importId: string,
  exceptSession: string | null,
): Promise<void> => {
  await sql`
    delete from import_links where import_id = ${importId} and purpose = 'email' and id is distinct from
      (select link_id from wizard_sessions where key_hash = decode(${exceptSession}, 'hex') and import_id = ${importId})`.execute(
    tx,
  );
};
