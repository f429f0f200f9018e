import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { SealedColumn } from "../../platform/sealed-column.ts";

/** The operator's settings for a tool. */
export interface StoredToolSettings {
  readonly tool: string;
  readonly enabled: boolean;
  readonly oauthClientId: string | null;
  readonly updatedAt: Date;
}

const sealedAs = (tool: string) => `oauth-client-secret:${tool}`;

export const oauthClientSecrets: SealedColumn = {
  what: "secrets of OAuth clients",
  table: "tool_settings",
  column: "oauth_client_secret",
  key: ["tool"],
  about: ([tool = ""]) => sealedAs(tool),
};

export const listToolSettings = (db: Database): Promise<readonly StoredToolSettings[]> =>
  db.sql
    .selectFrom("toolSettings")
    .select(["tool", "enabled", "oauthClientId", "updatedAt"])
    .orderBy("tool")
    .execute();

export const setToolEnabled = async (db: Database, tool: string, enabled: boolean): Promise<void> => {
  await db.sql
    .insertInto("toolSettings")
    .values({ tool, enabled })
    .onConflict((conflict) => conflict.column("tool").doUpdateSet({ enabled, updatedAt: sql`now()` }))
    .execute();
};

/** Saves the OAuth client that the operator registered with the tool; null removes it. */
export const setOAuthClient = async (
  db: Database,
  sealer: Sealer,
  tool: string,
  client: { readonly id: string; readonly secret: Secret } | null,
): Promise<void> => {
  const columns = {
    oauthClientId: client?.id ?? null,
    oauthClientSecret: client && sealer.sealAlone(sealedAs(tool), client.secret),
  };
  await db.sql
    .insertInto("toolSettings")
    .values({ tool, ...columns })
    .onConflict((conflict) => conflict.column("tool").doUpdateSet({ ...columns, updatedAt: sql`now()` }))
    .execute();
};

export const findOAuthClient = async (
  db: Database,
  sealer: Sealer,
  tool: string,
): Promise<{ readonly id: string; readonly secret: Secret } | undefined> => {
  const row = await db.sql
    .selectFrom("toolSettings")
    .select(["oauthClientId", "oauthClientSecret"])
    .where("tool", "=", tool)
    .executeTakeFirst();
  if (!row?.oauthClientId || !row.oauthClientSecret) return undefined;
  return { id: row.oauthClientId, secret: sealer.openAlone(sealedAs(tool), row.oauthClientSecret) };
};
