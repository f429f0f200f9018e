import type { Database } from "../../platform/db.ts";

export const requestsPerSecond = 10;

/** Remembers the request if the tenth before it is a second old; by the database's clock, so all processes agree. */
export const takeTurn = async (
  db: Database,
  partnerId: string,
): Promise<{ accepted: boolean; remaining: number }> => {
  const { rows } = await db.pool.query<{ used: number }>({
    name: "take-turn",
    text: `insert into request_ring as ring (partner_id, accepted_at) values ($1, array[clock_timestamp()])
           on conflict (partner_id) do update set accepted_at = (array[clock_timestamp()] || ring.accepted_at)[1:10]
             where cardinality(ring.accepted_at) < 10
                or ring.accepted_at[10] <= clock_timestamp() - interval '1 second'
           returning (select count(*)::int from unnest(accepted_at) as past
                      where past > clock_timestamp() - interval '1 second') as used`,
    values: [partnerId],
  });
  const turn = rows[0];
  return turn
    ? { accepted: true, remaining: Math.max(0, requestsPerSecond - turn.used) }
    : { accepted: false, remaining: 0 };
};
