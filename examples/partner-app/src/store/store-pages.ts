import type { DatabaseSync } from "node:sqlite";
import type { StreamName } from "./store-tables.ts";

/** A person in a record, as stored. */
export interface Named {
  readonly stream: string | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly email: string | null;
}

export interface TicketLine {
  readonly id: string;
  readonly subject: string;
  readonly status: string;
  readonly statusKind: string;
  readonly priority: string | null;
  readonly requester: Named | null;
  readonly createdAt: string | null;
  readonly comments: number;
  readonly imported: boolean;
}

export interface TicketFilter {
  readonly before: number | null;
  readonly statusKind: string | null;
  readonly text: string | null;
  readonly requester: { readonly stream: string; readonly id: string } | null;
}

const likeText = (text: string) => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** One page, newest id first, with the cursor of the next page. */
export const ticketLines = (database: DatabaseSync, filter: TicketFilter, limit: number) => {
  const found = database
    .prepare(
      `select id, subject, status, status_kind, priority, requester, created_at, external_key,
         (select count(*) from comments where ticket_id = tickets.id) as comments
       from tickets
       where id < :before and (:kind is null or status_kind = :kind)
         and (:text is null or subject like :text escape '\\')
         and (:stream is null or (json_extract(requester, '$.stream') = :stream and json_extract(requester, '$.id') = :who))
       order by id desc limit :limit`,
    )
    .all({
      before: filter.before ?? Number.MAX_SAFE_INTEGER,
      kind: filter.statusKind,
      text: filter.text === null ? null : likeText(filter.text),
      stream: filter.requester?.stream ?? null,
      who: filter.requester?.id ?? null,
      limit: limit + 1,
    });
  const lines = found.slice(0, limit).map(
    (row): TicketLine => ({
      id: String(row.id),
      subject: String(row.subject),
      status: String(row.status),
      statusKind: String(row.status_kind),
      priority: row.priority as string | null,
      requester: row.requester === null ? null : (JSON.parse(String(row.requester)) as Named),
      createdAt: row.created_at as string | null,
      comments: Number(row.comments),
      imported: row.external_key !== null,
    }),
  );
  return { lines, next: found.length > limit ? (lines.at(-1)?.id ?? null) : null };
};

/** One page of the ids of a stream's rows, in the order of insertion. */
export const idsPage = (database: DatabaseSync, stream: StreamName, after: number, limit: number) => {
  const ids = database
    .prepare(`select id from ${stream} where id > ? order by id limit ?`)
    .all(after, limit + 1)
    .map(({ id }) => String(id));
  return { ids: ids.slice(0, limit), next: ids.length > limit ? (ids[limit - 1] ?? null) : null };
};

export const commentIds = (database: DatabaseSync, ticketId: string): readonly string[] =>
  database
    .prepare("select id from comments where ticket_id = ? order by created_at is null, created_at, id")
    .all(ticketId)
    .map(({ id }) => String(id));

export const attachmentIds = (database: DatabaseSync, stream: string, id: string): readonly string[] =>
  database
    .prepare("select id from attachments where parent_stream = ? and parent_id = ? order by id")
    .all(stream, id)
    .map((row) => String(row.id));

/** The rows of a ticket or an article beside its comments. */
export const idsOf = (
  database: DatabaseSync,
  stream: "timeEntries" | "ratings" | "articleTranslations",
  parent: string,
): readonly string[] =>
  database
    .prepare(
      `select id from ${stream} where ${stream === "articleTranslations" ? "article_id" : "ticket_id"} = ? order by id`,
    )
    .all(parent)
    .map(({ id }) => String(id));

/** Links that a ticket is an end of. */
export const relationIds = (database: DatabaseSync, ticketId: string): readonly string[] =>
  database
    .prepare("select id from ticketRelations where from_ticket_id = :id or to_ticket_id = :id order by id")
    .all({ id: ticketId })
    .map(({ id }) => String(id));

/** The current name of a person; null: no longer here. */
export const nameOf = (database: DatabaseSync, stream: "users" | "contacts", id: string): string | null => {
  const found = database.prepare(`select name from ${stream} where id = ?`).get(Number(id) || 0);
  return found ? String(found.name) : null;
};

export const countsByStatus = (database: DatabaseSync): ReadonlyMap<string, number> =>
  new Map(
    database
      .prepare("select status_kind, count(*) as n from tickets group by status_kind")
      .all()
      .map(({ status_kind, n }) => [String(status_kind), Number(n)]),
  );

export const queueMail = (database: DatabaseSync, recipient: string, subject: string, at: string): void =>
  void database
    .prepare("insert into mails (recipient, subject, queued_at) values (?, ?, ?)")
    .run(recipient, subject, at);

export const lastMails = (database: DatabaseSync, limit: number) =>
  database
    .prepare("select recipient, subject, queued_at from mails order by id desc limit ?")
    .all(limit)
    .map(({ recipient, subject, queued_at }) => ({
      recipient: String(recipient),
      subject: String(subject),
      queuedAt: String(queued_at),
    }));
