import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import { type Given, nothingGiven } from "../connections/index.ts";
import { usernameKey } from "./import.ts";
import type { Side } from "./state.ts";
import { forgetSideObstacles } from "./store-preflight.ts";
import { destinationTokenField } from "./store-rows.ts";
import type { WarningCode } from "./warnings.ts";

/** What the warning `action_required` is about when a side's sign-in has ended. */
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

const forgetWarning = (tx: Transaction, importId: string, code: WarningCode, about: string) =>
  tx
    .deleteFrom("importWarnings")
    .where("importId", "=", importId)
    .where("code", "=", code)
    .where("stream", "=", about)
    .execute();

/** What follows from a sign-in that works: it finds the import, and nobody is waited for any more. */
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
 * Imports that were completed so many days ago, have no live run, and still hold this side's credentials. An undo, which may
 * wait for a person for ever, needs the new tool alone: it does not keep the old tool's.
 */
export const listFinished = async (
  db: Database,
  side: Side,
  days: number,
  after: string | null,
  limit: number,
): Promise<readonly string[]> => {
  const { rows } = await db.pool.query<{ id: string }>(
    `select i.id from connections c join imports i on i.id = c.import_id
     where c.side = $1 and c.settings is not null and c.connected_at < now() - make_interval(days => $2)
       and ($3::text is null or c.import_id > $3)
       and ((i.status = 'migration_completed' and i.live_run is null)
         or ($1 = 'source' and i.status = 'undo_in_progress' and i.live_run = 'undo'))
       and i.closed is null
       and (select coalesce(max(a.at) filter (where a.to_status = 'migration_completed'), max(a.at)) from audit a
            where a.import_id = i.id and a.to_status in ('migration_completed', i.status)
              and a.from_status <> a.to_status) < now() - make_interval(days => $2)
     order by c.import_id limit $4`,
    [side, days, after, limit],
  );
  return rows.map(({ id }) => id);
};

/** The partner's token, too: whoever erases a sign-in does not want it to come back by itself. */
export const forgetGivenToken = async (tx: Transaction, importId: string): Promise<void> => {
  await tx.updateTable("imports").set({ destinationToken: null }).where("id", "=", importId).execute();
};
