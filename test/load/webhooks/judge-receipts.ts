import type { Database } from "../../../server/src/platform/db.ts";
import type { Receipt } from "./receivers.ts";
import type { LoadPartner } from "./webhook-load.ts";

interface Evidence {
  readonly receipts: readonly Receipt[];
  readonly partners: readonly LoadPartner[];
  /** The commit time of each acknowledged event. */
  readonly committed: ReadonlyMap<string, number>;
  /** The number of earlier events, whose receipts are not included. */
  readonly capacityEvents: number;
}

export interface Judged {
  /** In the database, of a reachable partner, and never answered with 200. */
  readonly missing: number;
  /** Acknowledged, and missing in the database. */
  readonly lost: number;
  readonly outOfOrder: number;
  readonly unknown: number;
  /** Answered with 200 more than once; always with the same event_id, or they would count as unknown. */
  readonly duplicates: number;
  readonly attempts: number;
  readonly refusals: number;
  readonly latenciesMs: readonly number[];
}

interface Row {
  readonly id: string;
  readonly importId: string;
  readonly partnerId: string;
}

/** Compares the receivers' receipts with the events in PostgreSQL. */
export const judgeReceipts = async (
  db: Database,
  { receipts, partners, committed, capacityEvents }: Evidence,
): Promise<Judged> => {
  const { rows } = await db.pool.query<Row>(
    `select id, import_id as "importId", partner_id as "partnerId" from events order by seq offset $1`,
    [capacityEvents],
  );
  const kindOf = new Map(partners.map(({ id, kind }) => [id, kind]));
  const known = new Set(rows.map(({ id }) => id));
  const firstAt = new Map<string, number>();
  const arrivedAt = new Map<string, number>();
  let duplicates = 0;
  for (const [, event, , at, status] of receipts) {
    if (!firstAt.has(event)) firstAt.set(event, at);
    if (status !== 200) continue;
    if (arrivedAt.has(event)) duplicates += 1;
    else arrivedAt.set(event, at);
  }
  const reachable = rows.filter(
    ({ partnerId }) => !["silent", "absent"].includes(kindOf.get(partnerId) ?? ""),
  );
  const before = new Map<string, number>();
  let outOfOrder = 0;
  for (const { id, importId } of reachable) {
    // A receiver must not see an event before it answered the previous one with 200.
    if ((firstAt.get(id) ?? 0) < (before.get(importId) ?? 0)) outOfOrder += 1;
    before.set(importId, arrivedAt.get(id) ?? Number.POSITIVE_INFINITY);
  }
  const latenciesMs = reachable.flatMap(({ id, partnerId }) => {
    const since = committed.get(id);
    const at = firstAt.get(id);
    return kindOf.get(partnerId) === "healthy" && since !== undefined && at !== undefined ? [at - since] : [];
  });
  return {
    missing: reachable.filter(({ id }) => !arrivedAt.has(id)).length,
    lost: [...committed.keys()].filter((id) => !known.has(id)).length,
    outOfOrder,
    unknown: [...firstAt.keys()].filter((id) => !known.has(id)).length,
    duplicates,
    attempts: receipts.length,
    refusals: receipts.filter(([, , , , status]) => status === 500).length,
    latenciesMs,
  };
};
