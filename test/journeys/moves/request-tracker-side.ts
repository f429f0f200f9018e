import { createRtApi } from "../../tools/request-tracker/api.ts";
import type { RequestTracker } from "../../tools/request-tracker/request-tracker.ts";
import type { Dump, DumpedRow, Excluded } from "./dump.ts";
import { dumpTables, query } from "./dump-tables.ts";
import type { DestinationSide, SourceSide } from "./side.ts";

type At = Pick<RequestTracker, "url" | "token" | "database">;

const removedUsers = "(select id from users where comments like 'portage-removed:%')";
const removedQueues = "(select id from queues where description like 'removed (portage-removed:%')";
const removedArticles = "(select id from articles where summary like 'removed (portage-removed:%')";
const deleted = "(select id from tickets where status = 'deleted')";
const removedFields =
  "(select id from customfields where disabled = 1 and description like 'Created by an import. %')";
const messages = `select x.id, x.type, x.objectid, t.effectiveid from transactions x
  join tickets t on t.id = x.objectid and x.objecttype = 'RT::Ticket' and t.status <> 'deleted'
  join tickets e on e.id = t.effectiveid and e.status <> 'deleted'
  where x.type in ('Correspond', 'Comment', 'Create')`;
const isFile = `(coalesce(a.filename, '') <> '' or (a.contenttype not in ('text/plain', 'text/html')
  and a.contenttype not like 'multipart/%' and a.contenttype not like 'message/%' and length(a.content) > 0))`;

/** A copied file arrives in its own message, and so does a change that RT would mail otherwise: neither is a comment. */
const isNoComment = String.raw`'(^|\s)(file-of:(ticket|message):\d+|portage-note$)'`;

const memberOf = (group: string) =>
  `exists (select from groupmembers m join groups g on g.id = m.groupid
    where m.memberid = u.id and g.domain = 'SystemInternal' and g.name = '${group}')`;
const people = `select count(*) from users u where u.name not in ('RT_System', 'Nobody') and u.id not in ${removedUsers}`;

const counted: Readonly<Record<string, string>> = {
  users: `${people} and ${memberOf("Privileged")}`,
  contacts: `${people} and ${memberOf("Unprivileged")}`,
  groups: `select count(*) from queues where disabled <> 2 and name <> '___Approvals' and id not in ${removedQueues}`,
  tickets: "select count(*) from tickets where status <> 'deleted' and type = 'ticket' and id = effectiveid",
  comments: `select count(*) from (${messages}) x where (x.type <> 'Create' or x.effectiveid <> x.objectid)
    and not exists (select from attachments a where a.transactionid = x.id and a.subject ~ ${isNoComment})`,
  articles: `select count(*) from articles where id not in ${removedArticles}`,
  attachments: `select count(*) from attachments a join (${messages}) x on x.id = a.transactionid where ${isFile}`,
};

/** Request Tracker's interface deletes nothing: an undo hides what it removes. */
export const requestTrackerExcluded: readonly Excluded[] = [
  { what: "tickets: rows that are deleted", why: "RT keeps them and hides them" },
  {
    what: "transactions, attachments, links, groups, …: rows of removed records",
    why: "hidden with them",
  },
  {
    what: "users, queues, articles: rows that are marked as removed",
    why: "RT can't delete them; the undo empties and disables them",
  },
  {
    what: "customfields, their values and queues: rows of fields that an import created",
    why: "RT can't delete them; the undo disables them",
  },
  { what: "attributes: QueueCacheNeedsUpdate", why: "records when queues changed last" },
  { what: "attributes: RecentlyViewedTickets", why: "what the importing account looked at last" },
  { what: "sessions", why: "sign-ins to pages" },
  { what: "authtokens.lastused, authtokens.lastupdated", why: "updated by every call" },
];

const gone = (type: string, id: string) => `(
  (${type} = 'RT::Ticket' and ${id} in ${deleted}) or (${type} = 'RT::User' and ${id} in ${removedUsers})
  or (${type} = 'RT::Queue' and ${id} in ${removedQueues}) or (${type} = 'RT::Article' and ${id} in ${removedArticles})
  or (${type} = 'RT::CustomField' and ${id} in ${removedFields}))`;
const goneGroups = `(select id from groups where (domain = 'RT::Ticket-Role' and instance in ${deleted})
  or (domain = 'RT::Queue-Role' and instance in ${removedQueues})
  or (domain = 'ACLEquivalence' and instance in ${removedUsers}))`;
const gonePrincipals = `(select id from groups where id in ${goneGroups} union select id from users where id in ${removedUsers})`;
const goneTransactions = `(select id from transactions where ${gone("objecttype", "objectid")}
  or (objecttype = 'RT::Group' and objectid in ${goneGroups}))`;

const tableRules = {
  tables: ["sessions"],
  columns: ["authtokens.lastused", "authtokens.lastupdated"],
  rows: {
    tickets: "t.status <> 'deleted'",
    users: `t.id not in ${removedUsers}`,
    queues: `t.id not in ${removedQueues}`,
    articles: `t.id not in ${removedArticles}`,
    customfields: `t.id not in ${removedFields}`,
    customfieldvalues: `t.customfield not in ${removedFields}`,
    objectcustomfields: `t.customfield not in ${removedFields}`,
    transactions: `t.id not in ${goneTransactions}`,
    attachments: `t.transactionid not in ${goneTransactions}`,
    groups: `t.id not in ${goneGroups}`,
    principals: `t.id not in ${gonePrincipals}`,
    groupmembers: `t.groupid not in ${gonePrincipals} and t.memberid not in ${gonePrincipals}`,
    cachedgroupmembers: `t.groupid not in ${gonePrincipals} and t.memberid not in ${gonePrincipals}`,
    objectcustomfieldvalues: `not ${gone("t.objecttype", "t.objectid")}`,
    attributes: `not ${gone("t.objecttype", "t.objectid")} and t.name not in ('QueueCacheNeedsUpdate', 'RecentlyViewedTickets')
      and not (t.objecttype = 'RT::Transaction' and t.objectid in ${goneTransactions})`,
    links: `t.localbase not in ${deleted} and t.localtarget not in ${deleted}`,
  },
};

const counts = async ({ database }: At) => {
  const found: Record<string, number> = {};
  for (const [stream, sql] of Object.entries(counted))
    found[stream] = Number((await query<{ count: string }>(database, sql))[0]?.count);
  return found;
};

const noLogin = () => "";

const endpoints = async (at: At): Promise<Dump> => {
  const { call } = createRtApi(at.url, at.token, noLogin);
  const list = async (path: string) => (await call<{ items: DumpedRow[] }>("GET", path)).items;
  return {
    "GET /tickets": await list("tickets?query=id>0&fields=Subject,Status,Queue,LastUpdated&per_page=100"),
    "GET /queues/all": await list("queues/all?fields=Name,Description&per_page=100"),
    "GET /users": await list("users?query=&fields=Name,RealName,EmailAddress&per_page=100"),
  };
};

const host = ({ url }: At) => new URL(url).host;

export const requestTrackerSource = (
  at: At,
  { changes, removes }: { changes: string; removes: string },
): SourceSide => {
  const { call, message } = createRtApi(at.url, at.token, noLogin);
  const idOf = async (subject: string) => {
    const rows = await query<{ id: number; subject: string }>(
      at.database,
      "select id, subject from tickets where status <> 'deleted' order by id",
    );
    const found = rows.find((row) => row.subject === subject);
    if (!found) throw new Error(`No ticket “${subject}”.`);
    return String(found.id);
  };
  return {
    tool: "request-tracker",
    host: host(at),
    settings: { instanceUrl: at.url, token: at.token },
    disputed: changes,
    counts: () => counts(at),
    async meanwhile() {
      const changed = await idOf(changes);
      const removed = await idOf(removes);
      await call("PUT", `ticket/${changed}`, { Priority: 77 });
      await message(changed, "comment", { text: "Said later." });
      const { id } = await call<{ id: string }>("POST", "ticket", {
        Queue: "Ventas",
        Subject: "Came later",
        Content: "After the full migration.",
      });
      await call("DELETE", `ticket/${removed}`);
      return { disputed: changes, changed: [changed], added: [id], removed: [removed] };
    },
  };
};

export const requestTrackerDestination = (at: At): DestinationSide => {
  const { call } = createRtApi(at.url, at.token, noLogin);
  return {
    tool: "request-tracker",
    host: host(at),
    settings: { instanceUrl: at.url, token: at.token },
    counts: () => counts(at),
    dump: async () => ({ ...(await dumpTables(at.database, tableRules)), ...(await endpoints(at)) }),
    async edit(subject) {
      const rows = await query<{ id: number; subject: string }>(
        at.database,
        "select id, subject from tickets where status <> 'deleted' order by id desc",
      );
      const id = rows.find((row) => row.subject === subject)?.id;
      if (id === undefined) throw new Error(`No copy “${subject}”.`);
      const edited = "A person's own words";
      await call("PUT", `ticket/${id}`, { Subject: edited });
      return {
        stays: async () => (await call<{ Subject: string }>("GET", `ticket/${id}`)).Subject === edited,
        putBack: async () => void (await call("PUT", `ticket/${id}`, { Subject: subject })),
      };
    },
  };
};
