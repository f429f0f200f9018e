import { fastify } from "fastify";
import pg from "pg";

/** The baseline of the resolver: Fastify with the same two statements, without tools, addresses, headers and logs. */
const pool = new pg.Pool({
  connectionString: process.env["DATABASE_URL"],
  max: Number(process.env["DATABASE_POOL_SIZE"]),
});

const findLinks = `select o.import_id as "importId", o.family, o.source_tool as "sourceTool", o.source_settings as "sourceSettings",
    o.destination_tool as "destinationTool", o.destination_settings as "destinationSettings",
    o.destination_urls as "destinationUrls", o.ledger_leaf as "leaf",
    o.since + p.old_links_days * interval '1 day' as "until"
  from old_links o join imports i on i.id = o.import_id join partners p on p.id = o.partner_id
  where o.import_id = $1 and o.since > now() - p.old_links_days * interval '1 day'
    and i.full_copy <> 'none' and i.status <> 'undo_in_progress' and i.closed is distinct from 'cancelled'`;

const app = fastify({ logger: false });
app.get("/bare/:import/:id", async (request, reply) => {
  const { import: importId, id } = request.params as { import: string; id: string };
  const [links] = (
    await pool.query<{ leaf: string }>({ name: "find-links", text: findLinks, values: [importId] })
  ).rows;
  if (!links) return reply.code(404).send();
  const [row] = (
    await pool.query<{ destId: string }>({
      name: `find-new-id-${links.leaf}`,
      text: `select source_id as "sourceId", state, dest_id as "destId", reason, detail from ${links.leaf}
             where import_id = $1 and stream = $2 and source_id = $3`,
      values: [importId, "tickets", id],
    })
  ).rows;
  return row
    ? reply.redirect(`https://rt.example/Ticket/Display.html?id=${row.destId}`)
    : reply.code(404).send();
});
await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) });
process.send?.("listening");
