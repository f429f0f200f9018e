import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { At, Side } from "./connection.ts";
import { sealedAs } from "./store.ts";

const minutes = 15;

/** A sign-in at a tool's page that is not completed yet. */
export interface PendingSignIn {
  readonly side: Side;
  readonly tool: string;
  readonly typed: Readonly<Record<string, unknown>>;
  /** Proves that the code was requested here (PKCE). */
  readonly verifier: string;
}

const hashOf = (state: string) => createHash("sha256").update(state).digest();

/** Stores a sign-in that begins; it replaces an earlier one for the same side. */
export const insertSignIn = (
  db: Database,
  sealer: Sealer,
  { importId, side }: At,
  state: string,
  { tool, typed, verifier }: PendingSignIn,
): Promise<void> =>
  db.sql.transaction().execute(async (tx) => {
    const { dataKey } = await tx
      .selectFrom("imports")
      .select("dataKey")
      .where("id", "=", importId)
      .executeTakeFirstOrThrow();
    await tx.deleteFrom("signIns").where("importId", "=", importId).where("side", "=", side).execute();
    await tx
      .insertInto("signIns")
      .values({
        importId,
        side,
        tool,
        stateHash: hashOf(state),
        kept: sealer.seal(
          importId,
          dataKey,
          sealedAs(side, "sign-in"),
          new Secret(JSON.stringify({ typed, verifier })),
        ),
        expiresAt: sql`now() + ${minutes} * interval '1 minute'`,
      })
      .execute();
  });

/** Takes the sign-in of a state: once, before it expires, only of this import, and only of `side` if given. */
export const takeSignIn = async (
  db: Database,
  sealer: Sealer,
  { importId, side = null }: { readonly importId: string; readonly side?: Side | null },
  state: string,
): Promise<PendingSignIn | undefined> => {
  const { rows } = await sql<{ side: Side; tool: string; kept: Buffer; dataKey: Buffer }>`
    delete from sign_ins s using imports i
    where s.state_hash = ${hashOf(state)} and s.import_id = ${importId} and s.expires_at > now() and i.id = s.import_id
      and (${side}::text is null or s.side = ${side})
    returning s.side, s.tool, s.kept, i.data_key`.execute(db.sql);
  const [row] = rows;
  if (!row) return undefined;
  const kept = sealer.open(importId, row.dataKey, sealedAs(row.side, "sign-in"), row.kept).reveal();
  return {
    side: row.side,
    tool: row.tool,
    ...(JSON.parse(kept) as Pick<PendingSignIn, "typed" | "verifier">),
  };
};

/** Finds the import and side of a sign-in at a tool when the customer comes back, without taking it. */
export const findSignIn = async (db: Database, tool: string, state: string): Promise<At | undefined> => {
  const row = await db.sql
    .selectFrom("signIns")
    .select(["importId", "side"])
    .where("stateHash", "=", hashOf(state))
    .where("tool", "=", tool)
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row && { importId: row.importId, side: row.side as Side };
};

/** Deletes sign-ins that were not completed in time. */
export const deleteOldSignIns = async (db: Database): Promise<number> => {
  const deleted = await db.sql
    .deleteFrom("signIns")
    .where("expiresAt", "<", sql<Date>`now()`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};
