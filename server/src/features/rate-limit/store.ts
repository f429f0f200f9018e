// Hot: every request of a partner takes its turn.
import type { Database } from "../../platform/db.ts";

export const requestsPerSecond = 10;

/**
 * Accepts one request of each partner if the tenth accepted one before it is a second old, by the database's clock, so
 * all processes agree. Returns how many requests of the last second each has used; a refused partner is absent.
 */
export const takeTurns = async (
  db: Database,
  partnerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await db.pool.query<{ id: string; used: number }>({
    name: "take-turns",
    text: `insert into request_ring as ring (partner_id, accepted_at)
           select id, array[clock_timestamp()] from unnest($1::text[]) as id
           on conflict (partner_id) do update set accepted_at = (array[clock_timestamp()] || ring.accepted_at)[1:10]
             where cardinality(ring.accepted_at) < 10
                or ring.accepted_at[10] <= clock_timestamp() - interval '1 second'
           returning partner_id as id, (select count(*)::int from unnest(accepted_at) as past
                      where past > clock_timestamp() - interval '1 second') as used`,
    values: [partnerIds],
  });
  return new Map(rows.map(({ id, used }) => [id, used]));
};
