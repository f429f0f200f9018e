import {
  type At,
  helpdesk,
  keysetPager,
  type Page,
  type RecordOf,
  type SourceStream,
} from "@portage/connector-kit";
import { askList, askWholeList, numericIds } from "./ask.ts";
import { carriedFor, isNote } from "./carrier.ts";
import {
  askEffective,
  askMessages,
  askTransactions,
  type Message,
  ofTickets,
  transactionFields,
  transactionNested,
  transactionRow,
  type TransactionRow,
} from "./messages.ts";
import { fromRtTime, toRtTime } from "./moments.ts";
import { whoOf } from "./people.ts";
import { richText } from "./references.ts";
import type { RtIo, RtSettings } from "./settings.ts";

export type Comment = RecordOf<typeof helpdesk.comments>;

export interface Said {
  readonly row: TransactionRow;
  readonly ticketId: string;
  readonly message: Message | undefined;
}

const messageTypes = ["Correspond", "Comment", "Create"];
const anyMessage = `(${messageTypes.map((type) => `Type = '${type}'`).join(" OR ")})`;

/**
 * The events that are comments: replies and comments of existing tickets, and the first message of a ticket that was
 * merged into another.
 */
export const onlySaid = async (io: RtIo, rows: readonly TransactionRow[]): Promise<readonly Said[]> => {
  const effective = await askEffective(
    io,
    rows.map(({ ObjectId }) => ObjectId),
  );
  const kept = rows.flatMap((row) => {
    const ticketId = effective.get(row.ObjectId) ?? null;
    const own = messageTypes.includes(row.Type) && !(row.Type === "Create" && ticketId === row.ObjectId);
    return ticketId !== null && own ? [{ row, ticketId }] : [];
  });
  const messages = await askMessages(
    io,
    kept.map(({ row }) => row.id),
  );
  return kept
    .map((each) => ({ ...each, message: messages.get(each.row.id) }))
    .filter(({ message }) => carriedFor(message?.subject ?? "") === null && !isNote(message?.subject ?? ""));
};

export const toComment = async ({ row, ticketId, message }: Said, io: RtIo): Promise<Comment> =>
  helpdesk.comments.make({
    id: String(row.id),
    createdAt: fromRtTime(row.Created),
    updatedAt: fromRtTime(row.Created),
    ticketId,
    visibility: row.Type === "Comment" ? "internal" : "public",
    body: richText(message?.format ?? "plain", message?.text ?? "", io.settings.instanceUrl, message ?? null),
    author: await whoOf(io, row.Creator),
  });

export const readComments = async (io: RtIo, ids: readonly string[]): Promise<readonly Comment[]> => {
  const said = await onlySaid(io, await askTransactions(io, numericIds(ids)));
  return Promise.all(said.map((each) => toComment(each, io)));
};

/** A ticket's history includes the history of the tickets that were merged into it. */
export const askHistory = async (io: RtIo, ticketId: number): Promise<readonly TransactionRow[]> => {
  const question = { row: transactionRow, fields: transactionFields, nested: transactionNested };
  const rows = await askWholeList(io, { ...question, path: `ticket/${ticketId}/history` });
  return rows.filter(({ Type }) => messageTypes.includes(Type));
};

const readCommentsOf = async (io: RtIo, parents: readonly { readonly id: string }[]) => {
  const ids = numericIds(parents.map(({ id }) => id));
  const rows = (await Promise.all(ids.map((id) => askHistory(io, id)))).flat();
  const said = await onlySaid(io, rows);
  return Promise.all(said.map((each) => toComment(each, io)));
};

interface Row {
  readonly id: number;
  readonly said: Said | undefined;
}

const pager = keysetPager<Row, Comment | null, RtSettings>({
  size: 50,
  key: ({ id }) => id,
  toRecord: ({ said }, io) => (said ? toComment(said, io) : null),
  async fetch(io, { since }, { after, size }) {
    const { rows } = await askList(io, {
      path: "transactions",
      row: transactionRow,
      fields: transactionFields,
      nested: transactionNested,
      size,
      sql: [
        ofTickets,
        anyMessage,
        `id > ${Number(after ?? 0)}`,
        ...(since ? [`Created >= '${toRtTime(since)}'`] : []),
      ].join(" AND "),
    });
    const said = new Map((await onlySaid(io, rows)).map((each) => [each.row.id, each]));
    return rows.map(({ id }) => ({ id, said: said.get(id) }));
  },
});

const withoutNulls = <T>(page: Page<T | null>): Page<T> => ({
  ...page,
  records: page.records.filter((record) => record !== null),
});

/** Reads all tickets' comments in the order of events: a page needs four calls, however many tickets it touches. */
export const commentsSource: SourceStream<Comment, RtSettings> = {
  stream: helpdesk.comments,
  delta: true,
  readPage: async (io: RtIo, at: At) => withoutNulls(await pager(io, at)),
  readByIds: readComments,
  readByParents: readCommentsOf,
  urlOf: ({ instanceUrl }, { id, ticketId }) =>
    `${instanceUrl.replace(/\/$/, "")}/Ticket/Display.html?id=${ticketId}#txn-${id}`,
};
