import type { EventType, Family, StatusCode } from "@portage/contract";
import type { Database } from "../../platform/db.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import {
  type Counted,
  type CountedColumns,
  openLinkToken,
  type RunKind,
  toCounted,
} from "../imports/index.ts";

export const keptDays = 30;

export interface EventRecord {
  readonly id: string;
  readonly type: EventType;
  readonly importId: string;
  readonly status: StatusCode;
  readonly previousStatus: StatusCode | null;
  readonly family: Family;
  readonly reference: string | null;
  readonly linkToken: Secret;
  /** The import's counts as of its last ended run. */
  readonly counted: Counted;
  readonly liveRun: RunKind | null;
  readonly createdAt: Date;
}

type Row = Omit<EventRecord, "linkToken" | "counted"> & {
  dataKey: Buffer;
  linkToken: Buffer;
} & CountedColumns;

const columns = `e.id, e.type, e.import_id as "importId", e.status, e.previous_status as "previousStatus", i.family,
  i.reference, i.data_key as "dataKey", i.link_token as "linkToken", i.items, i.source_people as "sourcePeople",
  i.destination_people as "destinationPeople", i.matched_people as "matchedPeople",
  i.live_run as "liveRun", e.created_at as "createdAt"`;

const toRecord = (
  sealer: Sealer,
  { dataKey, linkToken, items, sourcePeople, destinationPeople, matchedPeople, ...event }: Row,
): EventRecord => ({
  ...event,
  counted: toCounted({ items, sourcePeople, destinationPeople, matchedPeople }),
  linkToken: openLinkToken(sealer, { id: event.importId, dataKey, linkToken }),
});

/** Finds events of imports by their ids. */
export const findEvents = async (
  db: Database,
  sealer: Sealer,
  ids: readonly string[],
): Promise<readonly EventRecord[]> => {
  const { rows } = await db.pool.query<Row>(
    `select ${columns} from events e join imports i on i.id = e.import_id where e.id = any($1)`,
    [ids],
  );
  return rows.map((row) => toRecord(sealer, row));
};

/** A partner's events in the order of (transaction, number), up to the oldest transaction that is still open. */
export const listEvents = async (
  db: Database,
  sealer: Sealer,
  partnerId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<readonly EventRecord[] | "unknown_event"> => {
  if (after !== null) {
    const known = await db.pool.query("select from events where id = $1 and partner_id = $2", [
      after,
      partnerId,
    ]);
    if (known.rowCount === 0) return "unknown_event";
  }
  const { rows } = await db.pool.query<Row>({
    name: "list-events",
    text: `select ${columns}
           from events e join imports i on i.id = e.import_id
           where e.partner_id = $1 and e.tx < pg_snapshot_xmin(pg_current_snapshot())
             and e.created_at > now() - make_interval(days => $4)
             and ($2::text is null or (e.tx, e.seq) > (select a.tx, a.seq from events a where a.id = $2))
           order by e.tx, e.seq limit $3`,
    values: [partnerId, after, limit, keptDays],
  });
  return rows.map((row) => toRecord(sealer, row));
};

export const deleteOldEvents = async (db: Database): Promise<number> => {
  const { rowCount } = await db.pool.query(
    "delete from events where created_at < now() - make_interval(days => $1)",
    [keptDays],
  );
  return rowCount ?? 0;
};
