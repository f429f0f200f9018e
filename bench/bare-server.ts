import { fastify } from "fastify";
import pg from "pg";

/**
 * The baseline for the API: Fastify with the same SQL statements, without authentication, sealed links, ids, headers
 * and logs. The bench sets DATABASE_URL, PORT and DATABASE_POOL_SIZE.
 */
const pool = new pg.Pool({
  connectionString: process.env["DATABASE_URL"],
  max: Number(process.env["DATABASE_POOL_SIZE"]),
});

const takeTurn = `insert into request_ring as ring (partner_id, accepted_at) values ($1, array[clock_timestamp()])
  on conflict (partner_id) do update set accepted_at = (array[clock_timestamp()] || ring.accepted_at)[1:10]
    where cardinality(ring.accepted_at) < 10 or ring.accepted_at[10] <= clock_timestamp() - interval '1 second'
  returning (select count(*)::int from unnest(accepted_at) as past
             where past > clock_timestamp() - interval '1 second') as used`;

const findImport = `select i.id, i.partner_id as "partnerId", i.source_tool as "sourceTool",
    i.destination_tool as "destinationTool", i.family, i.reference,
    i.destination_instance_url as "destinationInstanceUrl", i.destination_username as "destinationUsername",
    i.data_key as "dataKey", i.link_token as "linkToken", i.status, i.sponsorship, i.start_full as "startFull", i.asked,
    i.sponsored_full_started as "sponsoredFullStarted", i.source_connected as "sourceConnected",
    i.destination_connected as "destinationConnected", i.sample_copy as "sampleCopy", i.full_copy as "fullCopy",
    i.live_run as "liveRun", i.stopping, i.closed, i.created_at as "createdAt", i.active_at as "activeAt", i.items,
    i.source_people as "sourcePeople", i.destination_people as "destinationPeople", i.matched_people as "matchedPeople",
    i.findings,
    coalesce((select sum(e.amount) > 0 from money_entries e where e.import_id = i.id and e.account = 'customer_paid'), false) as bought,
    (select json_agg(json_build_object('code', w.code, 'message', w.message, 'stream', nullif(w.stream, ''),
       'count', w.count) order by w.created_at, w.code, w.stream)
     from import_warnings w where w.import_id = i.id) as warnings
  from imports i where i.id = $1 and i.partner_id = $2 and i.closed is null`;

interface Row {
  readonly id: string;
  readonly status: string;
  readonly family: string;
  readonly sponsorship: string;
  readonly reference: string | null;
  readonly items: object;
  readonly sourcePeople: number;
  readonly destinationPeople: number;
  readonly matchedPeople: number;
  readonly warnings: object[] | null;
}

const answer = async (partnerId: string, id: string) => {
  const { rows } = await pool.query<Row>({ name: "find-import", text: findImport, values: [id, partnerId] });
  const [row] = rows;
  return (
    row && {
      id: row.id,
      status: row.status,
      family: row.family,
      sponsorship: row.sponsorship,
      reference: row.reference,
      items: row.items,
      users: { source: row.sourcePeople, destination: row.destinationPeople, matched: row.matchedPeople },
      warnings: row.warnings,
    }
  );
};

const app = fastify({ logger: false });
app.get("/same/:partnerId/:id", async (request) => {
  const { partnerId, id } = request.params as { partnerId: string; id: string };
  await pool.query({ name: "take-turn", text: takeTurn, values: [partnerId] });
  return answer(partnerId, id);
});
app.get("/select/:partnerId/:id", async (request) => {
  const { partnerId, id } = request.params as { partnerId: string; id: string };
  return answer(partnerId, id);
});
await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) });
process.send?.("listening");
