import {
  counted,
  helpdesk,
  mayDiffer,
  notHeld,
  ownValue,
  type Part,
  recordStream,
  type RecordOf,
  rejected,
  skipRecord,
} from "@portage/connector-kit";
import { askConversations, askTicket } from "./ask.ts";
import { filesIn, keyWord, keyWords, nameWord, withFiles } from "./file-keys.ts";
import { type FoundFile, partId, ticketIdIn, toAttachment } from "./records.ts";
import { type Attachment, conversationRow, ticketRow } from "./rows.ts";
import type { FreshdeskIo, Settings } from "./settings.ts";
import { fileAt, ticketIdsIn } from "./source.ts";
import { tell } from "./tell.ts";

type FileRecord = RecordOf<typeof helpdesk.attachments>;

/** A file, with the word of its key. */
interface HeldFile extends FoundFile {
  readonly word: string | null;
}

/** A ticket or a note, to which files can be added. */
interface Holder {
  readonly ticketId: string;
  readonly parent: FoundFile["parent"];
  readonly html: string;
  readonly attachments: readonly Attachment[];
  /** The call that changes it. */
  readonly url: string;
  readonly field: "description" | "body";
}

const maxBytes = 20 * 1024 * 1024;

const filesOf = ({ ticketId, parent, html, attachments }: Holder): readonly HeldFile[] => {
  const words = keyWords(html, attachments);
  return attachments.map((row) => ({
    ticketId,
    parent,
    id: String(row.id),
    url: row.attachment_url,
    row,
    word: words.get(row.id) ?? null,
  }));
};

const holdersOf = async (io: FreshdeskIo, ticketId: string): Promise<readonly Holder[]> => {
  const ticket = await askTicket(io, ticketId);
  if (!ticket) return [];
  const notes = await askConversations(io, ticketId);
  return [
    {
      ticketId,
      parent: { stream: "tickets", id: ticketId },
      html: ticket.description ?? "",
      attachments: ticket.attachments ?? [],
      url: `tickets/${ticketId}`,
      field: "description",
    },
    ...notes.map(
      (note): Holder => ({
        ticketId,
        parent: { stream: "comments", id: partId(ticketId, note.id) },
        html: note.body ?? "",
        attachments: note.attachments ?? [],
        url: `conversations/${note.id}`,
        field: "body",
      }),
    ),
  ];
};

const isType = (text: string) => /^[\w.+-]+\/[\w.+-]+(;.*)?$/.test(text);

export const attachmentsDestination = recordStream<FileRecord, HeldFile, Settings>({
  stream: helpdesk.attachments,
  parents: ["tickets", "comments"],
  batchSize: 10,
  guarantees: [],
  holds: {
    createdAt: ownValue("Freshdesk dates a file by its arrival."),
    updatedAt: ownValue("Freshdesk sets it itself."),
    author: notHeld("Freshdesk's files have no author."),
    description: notHeld("Freshdesk's files have no captions."),
    inline: notHeld("Freshdesk shows the file below the text."),
    tags: notHeld("Freshdesk's files have no tags."),
    customFields: notHeld("Freshdesk's files have no custom fields."),
    fileName: mayDiffer("A file of Freshdesk has a name."),
    contentType: mayDiffer("Freshdesk takes only types of files."),
    size: mayDiffer("Freshdesk counts the bytes that it received."),
  },
  key: {
    kind: "marker",
    of: ({ word }) => word,
    digest: keyWord,
    list: async (io, parentId) =>
      (await holdersOf(io, ticketIdIn(parentId) ?? parentId))
        .filter(({ parent }) => parent.id === parentId)
        .flatMap(filesOf),
  },
  id: ({ ticketId, id }) => partId(ticketId, id),
  async byIds(io, ids) {
    const holders = await Promise.all(ticketIdsIn(ids).map((id) => holdersOf(io, id)));
    return holders
      .flat()
      .flatMap(filesOf)
      .filter(({ ticketId, id }) => ids.includes(partId(ticketId, id)));
  },
  toRecord: toAttachment,
  async create(io, { key, record, file }) {
    if (!file) return rejected("no_file", "There are no bytes to write.");
    if ((file.size ?? 0) > maxBytes)
      return rejected("too_large", "Freshdesk holds at most 20 MB of files on a ticket.");
    const ticketId = ticketIdIn(record.parent.id) ?? record.parent.id;
    // The text as it is now: a person may have changed it meanwhile.
    askTicket.forget(io, ticketId);
    askConversations.forget(io, ticketId);
    const holder = (await holdersOf(io, ticketId)).find(({ parent }) => parent.id === record.parent.id);
    if (!holder) return rejected("parent_missing", "The file's ticket or note does not exist.");
    const name = record.fileName || "file";
    const contentType = isType(record.contentType) ? record.contentType : "application/octet-stream";
    const { file: body, bytes } = counted(file);
    const words = [...filesIn(holder.html), `${keyWord(key)}-${nameWord(name)}`];
    const parts: readonly Part[] = [
      { name: holder.field, content: withFiles(holder.html, words) },
      { name: "attachments[]", content: { ...body, name, contentType } },
    ];
    // Sent twice, it would add the file twice.
    const answer = await tell(io, { url: holder.url, method: "PUT", parts, idempotent: false });
    const after = holder.field === "description" ? answer.json(ticketRow) : answer.json(conversationRow);
    const html = "description" in after ? after.description : "body" in after ? after.body : null;
    const held = filesOf({ ...holder, html: html ?? "", attachments: after.attachments ?? [] });
    const row = held.find(({ word }) => word === keyWord(key));
    if (!row) throw skipRecord("not_taken", "Freshdesk took the file but does not show it.");
    return { row, fields: { fileName: name, contentType, size: bytes() } };
  },
  /** A file can't be changed; one that was found again after a lost answer is whole, and needs no change. */
  async change(_, { record, file }, row) {
    const { fileName, contentType, size } = toAttachment(row);
    const isSame = fileName === (record.fileName || "file") && (file?.size ?? size) === size;
    return isSame
      ? { row, fields: { fileName, contentType, size } }
      : rejected("not_changeable", "Freshdesk can't change a file after it is written.");
  },
  sequence: ({ parent }) => ticketIdIn(parent.id) ?? parent.id,
  async openFile(io, id) {
    const holders = await holdersOf(io, ticketIdIn(id) ?? id);
    const row = holders.flatMap(filesOf).find((each) => partId(each.ticketId, each.id) === id);
    if (!row) throw skipRecord("file_missing", "Freshdesk no longer has this file.", 404);
    return fileAt(io, row.url, toAttachment(row));
  },
});
