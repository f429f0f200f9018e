import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { SealedColumn } from "../../platform/sealed-column.ts";

/** The operator's settings for a tool. */
export interface StoredToolSettings {
  readonly tool: string;
  readonly enabled: boolean;
  readonly updatedAt: Date;
}

/** The OAuth client that the operator registered with a tool at an origin, such as `https://acme.example`. */
export interface RegisteredOAuthClient {
  readonly tool: string;
  readonly origin: string;
  readonly id: string;
}

// The origin is part of it: a row that moves to another origin does not open.
const sealedAs = (tool: string, origin: string) => `oauth-client-secret:${tool}:${origin}`;

export const oauthClientSecrets: SealedColumn = {
  what: "secrets of OAuth clients",
  table: "oauth_clients",
  column: "client_secret",
  key: ["tool", "origin"],
  about: ([tool = "", origin = ""]) => sealedAs(tool, origin),
};

export const listToolSettings = (db: Database): Promise<readonly StoredToolSettings[]> =>
  db.sql.selectFrom("toolSettings").select(["tool", "enabled", "updatedAt"]).orderBy("tool").execute();

export const setToolEnabled = async (db: Database, tool: string, enabled: boolean): Promise<void> => {
  await db.sql
    .insertInto("toolSettings")
    .values({ tool, enabled })
    .onConflict((conflict) => conflict.column("tool").doUpdateSet({ enabled, updatedAt: sql`now()` }))
    .execute();
};

export const listOAuthClients = (db: Database): Promise<readonly RegisteredOAuthClient[]> =>
  db.sql
    .selectFrom("oauthClients")
    .select(["tool", "origin", "clientId as id"])
    .orderBy("tool")
    .orderBy("origin")
    .execute();

/** Saves the OAuth client that the operator registered with the tool at these origins. */
export const setOAuthClient = async (
  db: Database,
  sealer: Sealer,
  tool: string,
  client: { readonly id: string; readonly secret: Secret; readonly origins: readonly [string, ...string[]] },
): Promise<void> => {
  const { id: clientId, secret, origins } = client;
  await db.sql
    .insertInto("oauthClients")
    .values(
      // Each once: PostgreSQL refuses to save a row twice in one statement.
      [...new Set(origins)].map((origin) => ({
        tool,
        origin,
        clientId,
        clientSecret: sealer.sealAlone(sealedAs(tool, origin), secret),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["tool", "origin"]).doUpdateSet((row) => ({
        clientId: row.ref("excluded.clientId"),
        clientSecret: row.ref("excluded.clientSecret"),
        updatedAt: sql`now()`,
      })),
    )
    .execute();
};

/** Removes the tool's client at an origin; null: at all origins. */
export const removeOAuthClients = async (
  db: Database,
  tool: string,
  origin: string | null,
): Promise<void> => {
  const all = db.sql.deleteFrom("oauthClients").where("tool", "=", tool);
  await (origin === null ? all : all.where("origin", "=", origin)).execute();
};

export const findOAuthClient = async (
  db: Database,
  sealer: Sealer,
  tool: string,
  origin: string,
): Promise<{ readonly id: string; readonly secret: Secret } | undefined> => {
  const row = await db.sql
    .selectFrom("oauthClients")
    .select(["clientId", "clientSecret"])
    .where("tool", "=", tool)
    .where("origin", "=", origin)
    .executeTakeFirst();
  return row && { id: row.clientId, secret: sealer.openAlone(sealedAs(tool, origin), row.clientSecret) };
};
