import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { At, Tokens } from "./connection.ts";
import { sealedAs, tokenColumns } from "./store.ts";

/** The current tokens of a side. */
export interface TokenState {
  readonly access: Secret;
  readonly refresh: Secret | null;
  readonly accessExpiresAt: Date | null;
  readonly savedAt: Date;
  readonly expired: boolean;
  readonly generation: number;
  /** The import's data key, which seals the tokens that replace these. */
  readonly dataKey: Buffer;
}

export const findTokens = async (
  db: Database,
  sealer: Sealer,
  { importId, side }: At,
): Promise<TokenState | undefined> => {
  const row = await db.sql
    .selectFrom("connections")
    .innerJoin("imports", "imports.id", "connections.importId")
    .select([
      "accessToken",
      "refreshToken",
      "accessExpiresAt",
      "state",
      "tokenGeneration",
      "dataKey",
      "checkedAt",
    ])
    .where("importId", "=", importId)
    .where("side", "=", side)
    .executeTakeFirst();
  if (!row?.accessToken) return undefined;
  const { accessToken, refreshToken, dataKey } = row;
  return {
    access: sealer.open(importId, dataKey, sealedAs(side, "access-token"), accessToken),
    refresh: refreshToken && sealer.open(importId, dataKey, sealedAs(side, "refresh-token"), refreshToken),
    accessExpiresAt: row.accessExpiresAt,
    savedAt: row.checkedAt,
    expired: row.state === "expired",
    generation: row.tokenGeneration,
    dataKey,
  };
};

/** Claims the refresh of tokens of this generation; false: another process has claimed or completed it. */
export const claimRefresh = async (
  db: Database,
  { importId, side }: At,
  { generation, claim, forMs }: { generation: number; claim: string; forMs: number },
): Promise<boolean> => {
  const result = await db.sql
    .updateTable("connections")
    .set({ refreshClaim: claim, refreshUntil: sql<Date>`now() + ${forMs} * interval '1 millisecond'` })
    .where("importId", "=", importId)
    .where("side", "=", side)
    .where("tokenGeneration", "=", generation)
    .where(({ eb }) => eb.or([eb("refreshUntil", "is", null), eb("refreshUntil", "<", sql<Date>`now()`)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
};

/** Releases the claim, so that another process can try. */
export const releaseRefresh = async (db: Database, { importId, side }: At, claim: string): Promise<void> => {
  await db.sql
    .updateTable("connections")
    .set({ refreshClaim: null, refreshUntil: null })
    .where("importId", "=", importId)
    .where("side", "=", side)
    .where("refreshClaim", "=", claim)
    .execute();
};

/** Stores new tokens in place of the old; false: the customer has connected or erased the side meanwhile. */
export const saveRefreshed = async (
  db: Database,
  sealer: Sealer,
  at: At,
  { generation, dataKey }: Pick<TokenState, "generation" | "dataKey">,
  tokens: Tokens,
): Promise<boolean> => {
  const result = await db.sql
    .updateTable("connections")
    .set({
      ...tokenColumns(sealer, dataKey, at, tokens),
      tokenGeneration: generation + 1,
      checkedAt: sql`now()`,
    })
    .where("importId", "=", at.importId)
    .where("side", "=", at.side)
    .where("tokenGeneration", "=", generation)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
};

/** Marks the side as expired, as the tool ended the grant. False: newer tokens exist. */
export const expireTokens = async (
  db: Database,
  { importId, side }: At,
  generation: number,
): Promise<boolean> => {
  const result = await db.sql
    .updateTable("connections")
    .set({ state: "expired", refreshClaim: null, refreshUntil: null })
    .where("importId", "=", importId)
    .where("side", "=", side)
    .where("tokenGeneration", "=", generation)
    .where("state", "in", ["connected", "expired"])
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
};
