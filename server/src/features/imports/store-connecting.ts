import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import { type Given, nothingGiven } from "../connections/index.ts";
import { usernameKey } from "./import.ts";
import type { Side } from "./state.ts";
import { forgetSideObstacles } from "./store-preflight.ts";
import { destinationTokenField } from "./store-rows.ts";
import { forgetWarning } from "./store-warnings.ts";
import type { WarningCode } from "./warnings.ts";

/** The subject of the warning `action_required` when a side's sign-in has expired. */
export const signInNeeded = (side: Side): string => `${side}_sign_in`;

/** What the partner supplied for a side when it created the import. */
export const findGiven = async (
  db: Database,
  sealer: Sealer,
  importId: string,
  side: Side,
): Promise<Given> => {
  if (side === "source") return nothingGiven;
  const row = await db.sql
    .selectFrom("imports")
    .select(["dataKey", "destinationInstanceUrl", "destinationUsername", "destinationToken"])
    .where("id", "=", importId)
    .executeTakeFirst();
  if (!row) return nothingGiven;
  return {
    instanceUrl: row.destinationInstanceUrl,
    username: row.destinationUsername,
    token:
      row.destinationToken && sealer.open(importId, row.dataKey, destinationTokenField, row.destinationToken),
  };
};

/** After a working sign-in: keeps the import active and findable by username, and clears the side's warnings. */
export const noteConnected = async (
  tx: Transaction,
  importId: string,
  side: Side,
  signInName: string,
): Promise<void> => {
  await tx.updateTable("imports").set({ activeAt: sql`now()` }).where("id", "=", importId).execute();
  await forgetWarning(tx, importId, "action_required", signInNeeded(side));
  await forgetSideObstacles(tx, importId, side);
  if (side === "source") return;
  await forgetWarning(tx, importId, "destination_unchecked", "");
  await tx
    .updateTable("imports")
    .set({ usernameKey: usernameKey(signInName) })
    .where("id", "=", importId)
    .where("destinationUsername", "is", null)
    .execute();
};

export const wasToldToSignIn = async (tx: Transaction, importId: string, side: Side): Promise<boolean> =>
  (await tx
    .selectFrom("importWarnings")
    .select("code")
    .where("importId", "=", importId)
    .where("code", "=", "action_required" satisfies WarningCode)
    .where("stream", "=", signInNeeded(side))
    .executeTakeFirst()) !== undefined;

/**
 * Imports completed `days` days ago without a live run that still hold this side's credentials. An undo may wait for a
 * person indefinitely but needs only the destination: it does not keep the source's.
 */
export const listFinished = async (
  db: Database,
  side: Side,
  days: number,
  after: string | null,
  limit: number,
): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select i.id from connections c join imports i on i.id = c.import_id
    where c.side = ${side} and c.settings is not null and c.connected_at < now() - make_interval(days => ${days})
      and (${after}::text is null or c.import_id > ${after})
      and ((i.status = 'migration_completed' and i.live_run is null)
        or (c.side = 'source' and i.status = 'undo_in_progress' and i.live_run = 'undo'))
      and i.closed is null
      and (select coalesce(max(a.at) filter (where a.to_status = 'migration_completed'), max(a.at)) from audit a
           where a.import_id = i.id and a.to_status in ('migration_completed', i.status)
             and a.from_status <> a.to_status) < now() - make_interval(days => ${days})
    order by c.import_id limit ${limit}`.execute(db.sql);
  return rows.map(({ id }) => id);
};

/** Erases the partner's token too: an erased sign-in must not come back by itself. */
export const forgetGivenToken = async (tx: Transaction, importId: string): Promise<void> => {
  await tx.updateTable("imports").set({ destinationToken: null }).where("id", "=", importId).execute();
};
