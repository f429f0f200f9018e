import type { Account } from "@portage/connector-kit";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { Connections, DB } from "../../platform/schema.ts";
import { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { At, Connection, ConnectionSummary, SignedIn, Tokens } from "./connection.ts";

/** The context that a side's secret is sealed with: one can't pass for another. */
export const sealedAs = (
  side: string,
  what: "settings" | "access-token" | "refresh-token" | "sign-in" | "key-columns",
) => `${side}-${what}`;

const dataKeyOf = async (tx: Transaction, importId: string): Promise<Buffer> => {
  const row = await tx
    .selectFrom("imports")
    .select("dataKey")
    .where("id", "=", importId)
    .executeTakeFirstOrThrow();
  return row.dataKey;
};

/** The columns that hold tokens; writing them ends the claim of a refresh under way. */
export const tokenColumns = (
  sealer: Sealer,
  dataKey: Buffer,
  { importId, side }: At,
  tokens: Tokens | null,
) => {
  const seal = (what: "access-token" | "refresh-token", secret: Secret | null | undefined) =>
    secret ? sealer.seal(importId, dataKey, sealedAs(side, what), secret) : null;
  return {
    accessToken: seal("access-token", tokens?.access),
    refreshToken: seal("refresh-token", tokens?.refresh),
    accessExpiresAt: tokens?.accessExpiresAt ?? null,
    refreshClaim: null,
    refreshUntil: null,
  };
};

/** Saves a new sign-in of a side, replacing the previous one. */
export const saveConnection = async (
  tx: Transaction,
  sealer: Sealer,
  at: At,
  { tool, settings, account, tokens }: SignedIn,
): Promise<void> => {
  const dataKey = await dataKeyOf(tx, at.importId);
  const seal = (what: "settings" | "key-columns", value: object) =>
    sealer.seal(at.importId, dataKey, sealedAs(at.side, what), new Secret(JSON.stringify(value)));
  const columns = {
    tool,
    state: "connected",
    settings: seal("settings", settings),
    keyColumns: account.keyColumns ? seal("key-columns", account.keyColumns) : null,
    accountId: account.accountId,
    accountName: account.accountName,
    signInName: account.signInName,
    ...tokenColumns(sealer, dataKey, at, tokens),
  };
  await tx
    .insertInto("connections")
    .values({ ...at, ...columns })
    .onConflict((conflict) =>
      conflict.columns(["importId", "side"]).doUpdateSet({
        ...columns,
        revision: sql`connections.revision + 1`,
        tokenGeneration: sql`connections.token_generation + 1`,
        connectedAt: sql`now()`,
        checkedAt: sql`now()`,
      }),
    )
    .execute();
};

/** Erases a side's credentials; the account's name stays, and what the ids of its records are made of. */
export const eraseCredentials = async (tx: Transaction, { importId, side }: At): Promise<void> => {
  await tx
    .updateTable("connections")
    .set({
      state: "disconnected",
      settings: null,
      accessToken: null,
      refreshToken: null,
      accessExpiresAt: null,
      refreshClaim: null,
      refreshUntil: null,
      tokenGeneration: sql`token_generation + 1`,
    })
    .where("importId", "=", importId)
    .where("side", "=", side)
    .execute();
  await tx.deleteFrom("signIns").where("importId", "=", importId).where("side", "=", side).execute();
};

/** Deletes all connections and pending sign-ins of an import. */
export const purgeConnections = async (tx: Transaction, importId: string): Promise<void> => {
  await tx.deleteFrom("connections").where("importId", "=", importId).execute();
  await tx.deleteFrom("signIns").where("importId", "=", importId).execute();
};

/** Marks that the customer must sign in again. False: they already have, since the revision that failed. */
export const markExpired = async (
  sqlOrTx: Kysely<DB>,
  { importId, side }: At,
  revision: number,
): Promise<boolean> => {
  const result = await sqlOrTx
    .updateTable("connections")
    .set({ state: "expired" })
    .where("importId", "=", importId)
    .where("side", "=", side)
    .where("revision", "=", revision)
    .where("state", "in", ["connected", "expired"])
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
};

const summarize = (row: Selectable<Connections>): ConnectionSummary => ({
  side: row.side as ConnectionSummary["side"],
  tool: row.tool,
  state: row.state as ConnectionSummary["state"],
  accountId: row.accountId,
  accountName: row.accountName,
  signInName: row.signInName,
});

type Row = Selectable<Connections> & { readonly dataKey: Buffer };

const settingsIn = (sealer: Sealer, row: Row): Connection["settings"] | null =>
  row.settings === null
    ? null
    : (JSON.parse(
        sealer.open(row.importId, row.dataKey, sealedAs(row.side, "settings"), row.settings).reveal(),
      ) as Connection["settings"]);

/** The account that a side is, or was, connected to. */
export const findAccount = async (
  tx: Transaction,
  { importId, side }: At,
): Promise<ConnectionSummary | undefined> => {
  const row = await tx
    .selectFrom("connections")
    .selectAll()
    .where("importId", "=", importId)
    .where("side", "=", side)
    .executeTakeFirst();
  return row && summarize(row);
};

export type KeyColumns = NonNullable<Account["keyColumns"]>;

/** What the ids of a side's records are, or were, made of, by stream. */
export const findKeyColumns = async (
  tx: Transaction,
  sealer: Sealer,
  { importId, side }: At,
): Promise<KeyColumns> => {
  const row = await tx
    .selectFrom("connections")
    .innerJoin("imports", "imports.id", "connections.importId")
    .select(["connections.keyColumns", "imports.dataKey"])
    .where("connections.importId", "=", importId)
    .where("connections.side", "=", side)
    .executeTakeFirst();
  if (!row?.keyColumns) return {};
  const opened = sealer.open(importId, row.dataKey, sealedAs(side, "key-columns"), row.keyColumns);
  return JSON.parse(opened.reveal()) as KeyColumns;
};

/** The connection of a side. Undefined: it was never connected, or was disconnected or purged. */
export const findConnection = async (
  db: Database,
  sealer: Sealer,
  { importId, side }: At,
): Promise<Connection | undefined> => {
  const row = await db.sql
    .selectFrom("connections")
    .innerJoin("imports", "imports.id", "connections.importId")
    .innerJoin("partners", "partners.id", "imports.partnerId")
    .selectAll("connections")
    .select(["imports.dataKey", "partners.name as partnerName"])
    .where("connections.importId", "=", importId)
    .where("connections.side", "=", side)
    .executeTakeFirst();
  const settings = row && settingsIn(sealer, row);
  return settings
    ? { ...summarize(row), revision: row.revision, partnerName: row.partnerName, settings }
    : undefined;
};

export interface ListedConnection extends ConnectionSummary {
  /** Null once disconnected. */
  readonly settings: Connection["settings"] | null;
}

/** The accounts that an import is, or was, connected to; without anything sealed. */
export const listAccounts = async (db: Database, importId: string): Promise<readonly ConnectionSummary[]> => {
  const rows = await db.sql.selectFrom("connections").selectAll().where("importId", "=", importId).execute();
  return rows.map(summarize);
};

/** The connections of an import, disconnected ones included. */
export const listConnections = async (
  db: Database,
  sealer: Sealer,
  importId: string,
): Promise<readonly ListedConnection[]> => {
  const rows = await db.sql
    .selectFrom("connections")
    .innerJoin("imports", "imports.id", "connections.importId")
    .selectAll("connections")
    .select("imports.dataKey")
    .where("connections.importId", "=", importId)
    .execute();
  return rows.map((row) => ({ ...summarize(row), settings: settingsIn(sealer, row) }));
};
