import { createHash } from "node:crypto";
import type { Database } from "../../server/src/platform/db.ts";
import { newId, randomBase62 } from "../../server/src/platform/ids.ts";

export interface TestPartner {
  readonly id: string;
  readonly tokenId: string;
  readonly token: string;
  /** The Authorization header that it sends. */
  readonly authorization: string;
}

export const basic = (token: string): string => `Basic ${Buffer.from(`${token}:X`).toString("base64")}`;

const newPartner = (): TestPartner => {
  const token = `ptg_live_${randomBase62(40)}`;
  return { id: newId("prt"), tokenId: newId("tok"), token, authorization: basic(token) };
};

/** Many partners with a token each, in two statements. They move data into Redmine, by default as helpdesk. */
export const createPartners = async (db: Database, count: number): Promise<readonly TestPartner[]> => {
  const partners = Array.from({ length: count }, newPartner);
  await db.pool.query(
    `insert into partners (id, name, destination_tool, default_family)
     select id, 'Partner ' || id, 'redmine', 'helpdesk' from unnest($1::text[]) as id`,
    [partners.map(({ id }) => id)],
  );
  await db.pool.query(
    `insert into api_tokens (id, partner_id, hash, label, last_characters)
     select * from unnest($1::text[], $2::text[], $3::bytea[], $4::text[], $5::text[])`,
    [
      partners.map(({ tokenId }) => tokenId),
      partners.map(({ id }) => id),
      partners.map(({ token }) => createHash("sha256").update(token).digest()),
      partners.map(() => "test"),
      partners.map(({ token }) => token.slice(-4)),
    ],
  );
  return partners;
};
