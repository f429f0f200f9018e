import { znunyApi } from "../../tools/znuny/znuny-api.ts";
import type { ZnunyServer } from "../../tools/znuny/znuny-server.ts";
import { query } from "./dump-tables.ts";
import type { SourceSide } from "./side.ts";

/** Znuny keeps the forms of an article's text among its files. */
const isText = String.raw`filename ~ '^file-(1|2|1\.html)$' and content_type ~* 'text/(plain|html)'`;

/** Its web service shows people and queues only where tickets name them; user 1 is Znuny itself. */
const counted: Readonly<Record<string, string>> = {
  users: `select count(*) from (select user_id from ticket union select responsible_user_id from ticket) u
    where user_id <> 1`,
  contacts: "select count(distinct lower(customer_user_id)) from ticket where customer_user_id <> ''",
  groups: "select count(distinct queue_id) from ticket",
  tickets: "select count(*) from ticket",
  comments: `select count(*) from article a where not (a.is_visible_for_customer = 1
    and a.id = (select min(id) from article b where b.ticket_id = a.ticket_id))`,
  attachments: `select count(*) from article_data_mime_attachment where not (${isText})`,
};

export const znunySource = (
  server: ZnunyServer,
  { changes, removes }: { changes: string; removes: string },
): SourceSide => {
  const api = znunyApi(server);
  const idOf = async (title: string) => {
    const sql = "select id::text as id from ticket where title = $1";
    const [row] = await query<{ id: string }>(server.database, sql, [title]);
    if (!row) throw new Error(`No ticket “${title}”.`);
    return row.id;
  };
  const { url, username, password, timeZone } = server;
  return {
    tool: "znuny",
    host: new URL(url).host,
    settings: { instanceUrl: url, username, password, timeZone },
    disputed: changes,
    async counts() {
      const found: Record<string, number> = {};
      for (const [stream, sql] of Object.entries(counted))
        found[stream] = Number((await query<{ count: string }>(server.database, sql))[0]?.count);
      return found;
    },
    async meanwhile() {
      const changed = await idOf(changes);
      const removed = await idOf(removes);
      const Article = {
        CommunicationChannel: "Internal",
        IsVisibleForCustomer: 0,
        SenderType: "agent",
        Subject: "Later",
        Body: "Said later.",
        ContentType: "text/plain; charset=utf-8",
      };
      await api.call("PATCH", `Ticket/${changed}`, { Ticket: { PriorityID: 5 }, Article });
      const { TicketID } = await api.call<{ TicketID: string | number }>("POST", "Ticket", {
        Ticket: {
          Title: "Came later",
          Queue: "Ventas",
          State: "open",
          PriorityID: 3,
          CustomerUser: "jose@customer.test",
        },
        Article: { ...Article, IsVisibleForCustomer: 1, Body: "After the full migration." },
      });
      await api.removeTickets([removed]);
      return { disputed: changes, changed: [changed], added: [String(TicketID)], removed: [removed] };
    },
  };
};
