import { type RawBuilder, sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { DeliveryRef } from "./delivery.ts";

/** A locked target: no other worker takes its deliveries meanwhile. */
export interface TargetRow {
  readonly partnerId: string;
  readonly url: string;
  readonly secret: Buffer;
  readonly oldSecret: Buffer | null;
  readonly overlaps: boolean | null;
  readonly failing: boolean;
  /** Of its address and enabling: what an attempt says about its health counts for no other. */
  readonly healthEpoch: number;
}

export interface TakenRow extends DeliveryRef {
  readonly partnerId: string;
  readonly importId: string | null;
  readonly simulationId: string | null;
  readonly failures: number;
}

export interface TakeLimits {
  /** The most concurrent calls to one partner, over all workers. */
  readonly perPartner: number;
  readonly leaseMs: number;
}

export const targetColumns = sql`t.partner_id, t.url, t.secret, t.old_secret, t.old_secret_until > now() as overlaps,
  t.failing_since is not null as failing, t.health_epoch`;

/** More than the deliveries that one call takes. */
const targetsAtOnce = 500;

/**
 * Locks the targets with due deliveries, in any order, so that two workers never count the same free slots. Walks the
 * index from partner to partner: a partner with a million waiting deliveries costs as much as one with a single one.
 */
const lockTargets = async (tx: Transaction): Promise<readonly TargetRow[]> => {
  const { rows } = await sql<TargetRow>`
    with recursive someone as (
      (select partner_id from webhook_deliveries where state in ('waiting', 'sending') order by partner_id limit 1)
      union all
      select (select d.partner_id from webhook_deliveries d
              where d.state in ('waiting', 'sending') and d.partner_id > s.partner_id order by d.partner_id limit 1)
      from someone s where s.partner_id is not null
    ), due as materialized (
      -- one lateral lookup per partner, whatever the planner prefers: a join would read all waiting rows
      select s.partner_id from someone s cross join lateral (
        select from webhook_deliveries d where d.partner_id = s.partner_id
          and d.state in ('waiting', 'sending') and d.due_at <= now() order by d.due_at limit 1
      ) first
      order by random() limit ${targetsAtOnce}
    )
    select ${targetColumns} from webhook_targets t
    where t.partner_id = any(array(select partner_id from due)) and t.disabled_at is null
    for no key update of t skip locked`.execute(tx);
  return rows;
};

/** The share of the free slots that one partner may take, so that a later partner finds some. */
const maxShareOfFree = 1 / 8;

/** A failing target gets one call at a time: more would hold slots that others need. */
const roomOf = ({ failing }: TargetRow, { perPartner }: TakeLimits, free: number) =>
  failing ? 1 : Math.min(perPartner, Math.max(1, Math.floor(free * maxShareOfFree)));

/**
 * Calls to a partner that are under way, of all workers. What is `answered` has ended, and is only not recorded yet: if it
 * counted, each call would also hold its slot while PostgreSQL writes.
 */
const sendingTo = (partnerId: RawBuilder<unknown>, answered: readonly DeliveryRef[]) => sql`(
  select count(*) from webhook_deliveries s
  where s.partner_id = ${partnerId} and s.state = 'sending' and s.due_at > now()
    and s.event_id || ':' || s.generation <> all(
      ${answered.map(({ eventId, generation }) => `${eventId}:${generation}`)}::text[]))`;

const untilLease = ({ leaseMs }: TakeLimits) => sql`now() + make_interval(secs => ${leaseMs / 1_000})`;

export interface TakenDeliveries {
  readonly targets: readonly TargetRow[];
  readonly taken: readonly TakenRow[];
}

/** Takes due deliveries for the free slots, and for each partner at most what its own limit allows. */
export const takeDueDeliveries = (
  db: Database,
  free: number,
  limits: TakeLimits,
  answered: readonly DeliveryRef[],
): Promise<TakenDeliveries> =>
  db.sql.transaction().execute(async (tx) => {
    const targets = await lockTargets(tx);
    if (targets.length === 0) return { targets, taken: [] };
    // A separate statement: it must count what other workers took before this one got the locks.
    const { rows: taken } = await sql<TakenRow>`
      with room as (
        select p.partner_id, p.room - ${sendingTo(sql`p.partner_id`, answered)} as places
        from unnest(${targets.map(({ partnerId }) => partnerId)}::text[],
          ${targets.map((target) => roomOf(target, limits, free))}::integer[]) as p (partner_id, room)
      ), due as materialized (
        select d.event_id from room f cross join lateral (
          select w.event_id from webhook_deliveries w
          where w.partner_id = f.partner_id and w.state in ('waiting', 'sending') and w.due_at <= now()
          order by w.due_at limit greatest(f.places, 0) for update skip locked
        ) d limit ${free}
      )
      update webhook_deliveries d set state = 'sending', generation = d.generation + 1, due_at = ${untilLease(limits)}
      from due where d.event_id = due.event_id
      returning d.event_id, d.generation, d.partner_id, d.import_id, d.simulation_id, d.failures`.execute(tx);
    return { targets, taken };
  });

/** Makes a waiting delivery due at once, so that any worker takes it. */
export const putBack = async (db: Database["sql"], { eventId, generation }: DeliveryRef): Promise<void> => {
  await db
    .updateTable("webhookDeliveries")
    .set({ dueAt: sql`now()` })
    .where("eventId", "=", eventId)
    .where("generation", "=", generation)
    .where("state", "=", "waiting")
    .execute();
};

/** Takes the delivery that the engine scheduled for now, if no worker has it and its partner has a free slot. */
export const takeOne = (
  db: Database,
  ref: DeliveryRef,
  free: number,
  limits: TakeLimits,
  answered: readonly DeliveryRef[],
): Promise<TakenDeliveries> =>
  db.sql.transaction().execute(async (tx) => {
    const { rows: targets } = await sql<TargetRow>`
      select ${targetColumns} from webhook_deliveries d join webhook_targets t on t.partner_id = d.partner_id
      where d.event_id = ${ref.eventId} and d.generation = ${ref.generation} and d.state = 'waiting'
        and t.disabled_at is null
      for no key update of t skip locked`.execute(tx);
    const room = targets[0] ? roomOf(targets[0], limits, free) : 0;
    const { rows: taken } = await sql<TakenRow>`
      update webhook_deliveries d set state = 'sending', generation = d.generation + 1, due_at = ${untilLease(limits)}
      where d.event_id = ${ref.eventId} and d.generation = ${ref.generation} and d.state = 'waiting'
        and ${sendingTo(sql`d.partner_id`, answered)} < ${room}
      returning d.event_id, d.generation, d.partner_id, d.import_id, d.simulation_id, d.failures`.execute(tx);
    // No free slot: make it due, so that a worker takes it as soon as there is one.
    if (taken.length === 0) await putBack(tx, ref);
    return { targets, taken };
  });
