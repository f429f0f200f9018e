import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import { firstIdAt } from "../../platform/ids.ts";
import type { Sealer } from "../../platform/seal.ts";
import { type ImportFilter, type ImportRecord, usernameKey } from "./import.ts";
import { type FoundRow, importColumns, linkTokenIfKnown, toRecord } from "./store-rows.ts";

export interface ImportsPage {
  /** Null: all of them. */
  readonly limit: number | null;
  /** The id after which the page starts; ids are time-ordered, newest first. */
  readonly before: string | null;
}

/** Server clocks differ a little: an id may be of another moment than its row. */
const clockSkewMs = 60_000;

/** One value needs no sorting, several do. */
const isAmong = (column: RawBuilder<unknown>, values: readonly string[]) =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`;

/**
 * The imports that fulfil all that is given, of any partner, closed ones included; newest first. The link's token is empty if it
 * can't be opened.
 */
export const listImports = async (
  db: Database,
  sealer: Sealer,
  filter: ImportFilter,
  { limit, before }: ImportsPage,
): Promise<readonly ImportRecord[]> => {
  const { createdAfter, closed, running } = filter;
  const keys = filter.usernames && [...new Set(filter.usernames.map(usernameKey))];
  // Only what is asked for: a condition on a parameter that may be null would keep the indexes out of the plan.
  const conditions = [
    sql`true`,
    ...(filter.partnerId === undefined ? [] : [sql`i.partner_id = ${filter.partnerId}`]),
    ...(closed === undefined ? [] : [closed ? sql`i.closed is not null` : sql`i.closed is null`]),
    ...(running === undefined ? [] : [running ? sql`i.live_run is not null` : sql`i.live_run is null`]),
    ...(filter.ids === undefined ? [] : [sql`i.id = any(${filter.ids})`]),
    ...(filter.exceptIds === undefined ? [] : [sql`i.id <> all(${filter.exceptIds})`]),
    ...(keys === undefined ? [] : [isAmong(sql`i.username_key`, keys)]),
    ...(filter.status === undefined ? [] : [sql`i.status = ${filter.status}`]),
    ...(filter.references === undefined ? [] : [isAmong(sql`i.reference`, filter.references)]),
    ...(filter.family === undefined ? [] : [sql`i.family = ${filter.family}`]),
    ...(filter.sourceTool === undefined ? [] : [sql`i.source_tool = ${filter.sourceTool}`]),
    ...(filter.destinationTool === undefined ? [] : [sql`i.destination_tool = ${filter.destinationTool}`]),
    ...(createdAfter === undefined
      ? []
      : [
          sql`i.id >= ${firstIdAt("imp", createdAfter.getTime() - clockSkewMs)}`,
          sql`i.created_at >= ${createdAfter}`,
        ]),
    ...(before === null ? [] : [sql`i.id < ${before}`]),
  ];
  const { rows } = await sql<FoundRow>`
    select ${sql.raw(importColumns)} from imports i where ${sql.join(conditions, sql` and `)}
    order by i.id desc limit ${limit}`.execute(db.sql);
  return rows.map((row) => toRecord(sealer, row, row.bought, linkTokenIfKnown(sealer, row)));
};
