import { query } from "../../journeys/moves/dump-tables.ts";
import type { RequestTracker } from "./request-tracker.ts";

const name = "Mail an outside address";

/**
 * Adds a notification that no connector can know of: for each new ticket, to an address that the ticket does not name. Returns
 * how to remove it.
 */
export const plantScrip = async ({ database }: Pick<RequestTracker, "database">, address: string) => {
  const now = "timezone('utc', now()), 1, timezone('utc', now()), 1";
  const who = "created, creator, lastupdated, lastupdatedby";
  await query(
    database,
    `with action as (
       insert into scripactions (name, description, execmodule, argument, ${who})
       values ($1, $1, 'NotifyGroup', $2, ${now}) returning id),
     scrip as (
       insert into scrips (description, scripcondition, scripaction, template, ${who})
       select $1, c.id, a.id, 'Transaction', ${now} from scripconditions c, action a where c.name = 'On Create' returning id)
     insert into objectscrips (scrip, stage, objectid, sortorder, ${who})
     select id, 'TransactionCreate', 0, 99, ${now} from scrip`,
    [name, address],
  );
  return async () => {
    await query(
      database,
      "delete from objectscrips where scrip in (select id from scrips where description = $1)",
      [name],
    );
    await query(database, "delete from scrips where description = $1", [name]);
    await query(database, "delete from scripactions where name = $1", [name]);
  };
};
