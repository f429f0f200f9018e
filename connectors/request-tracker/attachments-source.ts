import {
  type FileBody,
  helpdesk,
  keysetPager,
  listStream,
  type RecordOf,
  skipRecord,
} from "@portage/connector-kit";
import { askByField, askList, numericIds } from "./ask.ts";
import { carriedFor } from "./carrier.ts";
import { askHistory } from "./comments-source.ts";
import {
  askEffective,
  askMessages,
  askParts,
  askTransactions,
  partQuestion,
  type TransactionRow,
} from "./messages.ts";
import { headerOf, isFile, type PartRow, subjectOf } from "./parts.ts";
import { fromRtTime } from "./moments.ts";
import { whoOf } from "./people.ts";
import type { RtIo, RtSettings } from "./settings.ts";

export type Attachment = RecordOf<typeof helpdesk.attachments>;

export interface Filed {
  readonly part: PartRow;
  readonly row: TransactionRow;
  readonly parent: { readonly stream: "tickets" | "comments"; readonly id: string };
  /** For a file in a separate message: the text of that message. */
  readonly caption: string | null;
}

const types = new Set(["Create", "Correspond", "Comment"]);

/** The files among the parts, each with its parent; without the copies of mails that RT sent. */
export const onlyFiles = async (io: RtIo, parts: readonly PartRow[]): Promise<readonly Filed[]> => {
  const files = parts.filter(isFile);
  const transactionIds = files.map(({ TransactionId }) => TransactionId);
  const rows = (await askTransactions(io, transactionIds)).filter(({ Type }) => types.has(Type));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const effective = await askEffective(
    io,
    rows.map(({ ObjectId }) => ObjectId),
  );
  const envelopes = await askParts(io, [...byId.keys()]);
  const first = new Map(envelopes.toReversed().map((part) => [part.TransactionId, part]));
  const carriers = [...first.values()].filter((part) => carriedFor(subjectOf(part)) !== null);
  const captions = await askMessages(
    io,
    carriers.map(({ TransactionId }) => TransactionId),
  );
  return files.flatMap((part) => {
    const row = byId.get(part.TransactionId);
    const ticketId = row && effective.get(row.ObjectId);
    if (!row || !ticketId) return [];
    const envelope = first.get(row.id);
    const carried = envelope ? carriedFor(subjectOf(envelope)) : null;
    if (carried) return [{ part, row, parent: carried, caption: captions.get(row.id)?.text || null }];
    const ofTicket = row.Type === "Create" && ticketId === row.ObjectId;
    const parent = ofTicket
      ? { stream: "tickets" as const, id: ticketId }
      : { stream: "comments" as const, id: String(row.id) };
    return [{ part, row, parent, caption: null }];
  });
};

const extensionOf = (contentType: string) =>
  /\/([\w.+-]+)/.exec(contentType)?.[1]?.replace(/^x-/, "") ?? "bin";

export const nameOf = ({ Filename, ContentType, id }: PartRow) =>
  Filename || `part-${id}.${extensionOf(ContentType)}`;

export const toAttachment = async ({ part, row, parent, caption }: Filed, io: RtIo): Promise<Attachment> =>
  helpdesk.attachments.make({
    id: String(part.id),
    createdAt: fromRtTime(row.Created),
    updatedAt: fromRtTime(row.Created),
    parent,
    fileName: nameOf(part),
    contentType: part.ContentType,
    size: part.ContentLength,
    description: caption,
    inline: headerOf(part, "Content-ID") !== null,
    author: await whoOf(io, row.Creator),
  });

export const askFiles = async (io: RtIo, ids: readonly string[]): Promise<readonly Filed[]> =>
  onlyFiles(io, await askByField(io, partQuestion, "id", numericIds(ids)));

/** Looks at all messages of the ticket: a file can be in another message than the one that it belongs to. */
const readAttachmentsOf = async (
  io: RtIo,
  parents: readonly { readonly stream: string; readonly id: string }[],
): Promise<readonly Attachment[]> => {
  const idsIn = (name: string) =>
    numericIds(parents.filter(({ stream }) => stream === name).map(({ id }) => id));
  const said = await askTransactions(io, idsIn("comments"));
  const effective = await askEffective(
    io,
    said.map(({ ObjectId }) => ObjectId),
  );
  const tickets = numericIds([
    ...idsIn("tickets").map(String),
    ...[...effective.values()].filter((id) => id !== null),
  ]);
  const histories = await Promise.all(tickets.map((id) => askHistory(io, id)));
  const files = await onlyFiles(
    io,
    await askParts(
      io,
      histories.flat().map(({ id }) => id),
    ),
  );
  const wanted = new Set(parents.map(({ stream, id }) => `${stream}/${id}`));
  const own = files.filter(({ parent }) => wanted.has(`${parent.stream}/${parent.id}`));
  return Promise.all(own.map((file) => toAttachment(file, io)));
};

/** The unchanged bytes, from RT's download page: REST2 returns the whole file as base64 in one JSON document. */
export const fileBody = (io: RtIo, { part }: Pick<Filed, "part">): FileBody => ({
  name: nameOf(part),
  contentType: part.ContentType,
  size: part.ContentLength,
  open: async () =>
    (await io.http.download({ url: `Ticket/Attachment/${part.TransactionId}/${part.id}/` })).body,
});

export const openAttachment = async (io: RtIo, id: string): Promise<FileBody> => {
  const [file] = await askFiles(io, [id]);
  if (file) return fileBody(io, file);
  throw skipRecord("not_found", "Request Tracker no longer has this file.");
};

/** A part of a message, which may be no file. */
interface Part {
  readonly part: PartRow;
  readonly file: Filed | undefined;
}

const isOld = ({ row }: Filed, since: Date | null): boolean => {
  const created = fromRtTime(row.Created);
  return since !== null && created !== null && Date.parse(created) < since.getTime() - 999;
};

export const attachmentsSource = listStream<Part, Attachment, RtSettings>({
  stream: helpdesk.attachments,
  // A file never changes, but RT can't filter files by time.
  delta: true,
  pages: (parts) =>
    keysetPager({
      ...parts,
      size: 100,
      async fetch(io, { since }, { after, size }) {
        const limits = [{ field: "id", operator: ">", value: Number(after ?? 0) }];
        const { rows } = await askList(io, { ...partQuestion, limits, size });
        const found = (await onlyFiles(io, rows)).filter((file) => !isOld(file, since));
        const files = new Map(found.map((file) => [file.part.id, file]));
        return rows.map((part) => ({ part, file: files.get(part.id) }));
      },
    }),
  key: ({ part }) => part.id,
  toRecord: ({ file }, io) => (file ? toAttachment(file, io) : null),
  byIds: async (io, ids) => (await askFiles(io, ids)).map((file) => ({ part: file.part, file })),
  readByParents: readAttachmentsOf,
  openFile: (io, { id }) => openAttachment(io, id),
});
