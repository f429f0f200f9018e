import { sql } from "kysely";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { EventRecord } from "../events/index.ts";
import type { LoadImportSummaries } from "../runs/index.ts";
import { simulatedSummary } from "./simulated-summary.ts";
import { toImport } from "./simulation.ts";
import { findSimulations } from "./store.ts";

type Row = Pick<
  EventRecord,
  "id" | "type" | "importId" | "status" | "previousStatus" | "reason" | "figures" | "createdAt"
>;

const columns = sql`e.id, e.type, e.simulation_id as import_id, e.status, e.previous_status, e.reason, e.figures,
  e.created_at`;

const toRecords = async (
  db: Database,
  sealer: Sealer,
  rows: readonly Row[],
): Promise<readonly EventRecord[]> => {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.map(({ importId }) => importId))];
  const found = new Map(
    (await findSimulations(db, sealer, ids)).map((each) => [each.id, toImport(each)] as const),
  );
  return rows.flatMap((row) => {
    const of = found.get(row.importId);
    if (!of) return []; // it was removed meanwhile
    const { family, reference, linkToken, counted, state } = of;
    return [{ ...row, family, reference, linkToken, counted, liveRun: state.liveRun }];
  });
};

/** Finds events of simulations by their ids. */
export const findSimulatedEvents = async (
  db: Database,
  sealer: Sealer,
  ids: readonly string[],
): Promise<readonly EventRecord[]> => {
  const { rows } = await sql<Row>`
    select ${columns} from simulation_events e where e.id = any(${ids})`.execute(db.sql);
  return toRecords(db, sealer, rows);
};

/** A partner's events of simulations, in the order in which `GET /events` lists those of imports. */
export const listSimulatedEvents = async (
  db: Database,
  sealer: Sealer,
  partnerId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly EventRecord[] | "unknown_event"> => {
  if (after !== null) {
    const known = await db.sql
      .selectFrom("simulationEvents")
      .select("id")
      .where("id", "=", after)
      .where("partnerId", "=", partnerId)
      .executeTakeFirst();
    if (!known) return "unknown_event";
  }
  const { rows } = await sql<Row>`
    select ${columns} from simulation_events e
    where e.partner_id = ${partnerId} and e.tx < pg_snapshot_xmin(pg_current_snapshot())
      and (${after}::text is null
        or (e.tx, e.seq) > (select a.tx, a.seq from simulation_events a where a.id = ${after}))
    order by e.tx, e.seq limit ${limit}`.execute(db.sql);
  return toRecords(db, sealer, rows);
};

/** The current figures of simulations; invented, except for the time. */
export const createLoadSimulatedSummaries =
  (db: Database, sealer: Sealer): LoadImportSummaries =>
  async (imports) => {
    const ids = imports.map(({ id }) => id);
    const found = ids.length === 0 ? [] : await findSimulations(db, sealer, ids);
    const summaries = new Map(
      found.map((each) => {
        const { state, activeAt, warnings } = toImport(each);
        const standing = { ...state, closed: state.closed !== null, activeAt, warnings };
        return [each.id, { ...simulatedSummary(each, each.family, each.now), standing }] as const;
      }),
    );
    const read = new Map(imports.map((each) => [each.id, each]));
    return (id) => {
      const { counted, findings = [] } = read.get(id) ?? {};
      const none = { items: {}, people: { source: 0, destination: 0, matched: 0 } };
      return summaries.get(id) ?? { ...(counted ?? none), findings, progress: null };
    };
  };
