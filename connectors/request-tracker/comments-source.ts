import { helpdesk, keysetPager, listStream, type RecordOf } from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { askList, askWholeList, numericIds } from "./ask.ts";
import { carriedFor, isNote } from "./carrier.ts";
import {
  askEffective,
  askMessages,
  askTransactions,
  type Message,
  ofTickets,
  transactionQuestion,
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
    body: richText(io, message?.format ?? "plain", message?.text ?? "", message ?? null),
    author: await whoOf(io, row.Creator),
    kind: row.Type === "Comment" ? "note" : "reply",
  });

export const askComments = async (io: RtIo, ids: readonly string[]): Promise<readonly Said[]> =>
  onlySaid(io, await askTransactions(io, numericIds(ids)));

/** A ticket's history includes the history of the tickets that were merged into it. */
export const askHistory = async (io: RtIo, ticketId: number): Promise<readonly TransactionRow[]> => {
  const rows = await askWholeList(io, { ...transactionQuestion, path: `ticket/${ticketId}/history` });
  return rows.filter(({ Type }) => messageTypes.includes(Type));
};

/** An event of a ticket, which may be no comment. */
interface Event {
  readonly id: number;
  readonly said: Said | undefined;
}

/** Reads all tickets' comments in the order of events: a page needs four calls, however many tickets it touches. */
export const commentsSource = listStream<Event, Comment, RtSettings>({
  stream: helpdesk.comments,
  delta: true,
  pages: (events) =>
    keysetPager({
      ...events,
      size: 50,
      async fetch(io, { since }, { after, size }) {
        const late = since ? ` AND Created >= '${toRtTime(since)}'` : "";
        const sql = `${ofTickets} AND ${anyMessage} AND id > ${Number(after ?? 0)}${late}`;
        const { rows } = await askList(io, { ...transactionQuestion, size, sql });
        const said = new Map((await onlySaid(io, rows)).map((each) => [each.row.id, each]));
        return rows.map(({ id }) => ({ id, said: said.get(id) }));
      },
    }),
  key: ({ id }) => id,
  toRecord: ({ said }, io) => (said ? toComment(said, io) : null),
  byIds: async (io, ids) => (await askComments(io, ids)).map((said) => ({ id: said.row.id, said })),
  async readByParents(io, parents) {
    const ids = numericIds(parents.map(({ id }) => id));
    const rows = (await Promise.all(ids.map((id) => askHistory(io, id)))).flat();
    return Promise.all((await onlySaid(io, rows)).map((each) => toComment(each, io)));
  },
  urlOf: (settings, { id, ticketId }) => urlOf("comments")(settings, { id, parentId: ticketId }),
});
