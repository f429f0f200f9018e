import {
  changesOnTheWay,
  cleared,
  converted,
  counted,
  type DestinationStream,
  type FieldChange,
  type FileBody,
  helpdesk,
  inDoubt,
  type Outcome,
  readInOrder,
  type Reasons,
  rejected,
  type Write,
  writeEach,
} from "@portage/connector-kit";
import { numericIds } from "./ask.ts";
import {
  askFiles,
  type Attachment,
  attachmentsSource,
  onlyFiles,
  openAttachment,
} from "./attachments-source.ts";
import { carrierWord, messageSubject } from "./carrier.ts";
import { findMessages, isNothing, sendMessage, writtenMessage } from "./message-form.ts";
import { askEffective, askParts, askTransactions } from "./messages.ts";
import { isFile } from "./parts.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import { askStates, ownerAddresses, restoreTimes, statusAgain, timesNotRestored } from "./ticket-state.ts";

type Parent = Attachment["parent"];

interface Place {
  readonly ticketId: string;
  readonly visibility: "public" | "internal";
}

/** The ticket that receives a file; a file of a private comment stays private. */
const placeOf = async (io: RtIo, { stream, id }: Parent): Promise<Place | null> => {
  if (stream === "tickets") return { ticketId: id, visibility: "public" };
  const [row] = await askTransactions(io, numericIds([id]));
  const ticketId = row ? (await askEffective(io, [row.ObjectId])).get(row.ObjectId) : null;
  return row && ticketId ? { ticketId, visibility: row.Type === "Comment" ? "internal" : "public" } : null;
};

const isUtf8 = async (file: FileBody): Promise<boolean> => {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of await file.open()) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
};

/** RT converts texts in other encodings to UTF-8, which changes their bytes: send those as application/octet-stream. */
const typeToSend = async (file: FileBody, contentType: string): Promise<string> =>
  /^text\//i.test(contentType) && !(await isUtf8(file)) ? "application/octet-stream" : contentType;

const reasons: Reasons = {
  contentType:
    "Request Tracker stores the type without its parameters, and text in another encoding as bytes.",
  size: "The file's size differs from the size that the old tool stated.",
  description: "Request Tracker holds the caption as the message's text.",
};

/** This connector reads the file back at the parent where it belongs. */
const apart = (becomes: Parent): FieldChange => ({
  ...converted(
    "parent",
    "Request Tracker can't add a file to an existing message; a separate message holds it and names the other.",
  ),
  becomes,
});

const writeOne = async (
  io: RtIo,
  { key, record, id, file }: Write<Attachment>,
): Promise<Outcome<Attachment>> => {
  if (id !== null)
    return rejected("not_changeable", "Request Tracker can't change a file after it is written.");
  if (!file) return rejected("no_file", "There are no bytes to write.");
  const { stream } = record.parent;
  if (stream !== "tickets" && stream !== "comments")
    return rejected("unsupported_parent", "Request Tracker holds files only on tickets and messages.");
  const place = await placeOf(io, record.parent);
  const state = place && (await askStates(io, [place.ticketId])).get(place.ticketId);
  if (!place || !state) return rejected("parent_missing", "The file's ticket or message does not exist.");
  const caption = record.description ?? "";
  const contentType = await typeToSend(file, record.contentType);
  const { file: body, bytes } = counted(file);
  const isRecorded = await sendMessage(io, {
    ...place,
    subject: messageSubject(record, key, carrierWord({ stream, id: record.parent.id })),
    html: false,
    text: isNothing(caption, false) ? "" : caption,
    addresses: ownerAddresses(state),
    set: place.visibility === "public" ? statusAgain(state) : {},
    file: { ...body, name: record.fileName, contentType },
  });
  const transaction = await writtenMessage(io, key, place.ticketId, isRecorded);
  if (typeof transaction !== "string") return transaction;
  const isRestored = place.visibility !== "public" || (await restoreTimes(io, state));
  const part = (await askParts(io, [Number(transaction)])).find(isFile);
  const [got] = part ? await askFiles(io, [String(part.id)]) : [];
  if (!got) return inDoubt("Request Tracker took the message but does not show its file.");
  const sent: Attachment = {
    ...record,
    contentType: contentType.split(";")[0]?.trim().toLowerCase() ?? "",
    size: bytes(),
    description: isNothing(caption, false) ? null : caption,
  };
  const changes = changesOnTheWay(helpdesk.attachments, record, sent, reasons);
  const times = isRestored ? [] : [timesNotRestored("parent.id", record.parent.id)];
  return { kind: "written", id: String(got.part.id), changes: [apart(record.parent), ...changes, ...times] };
};

export const attachmentsDestination: DestinationStream<Attachment, RtSettings> = {
  stream: helpdesk.attachments,
  parents: ["tickets", "comments"],
  batchSize: 8,
  idempotency: "lookup",
  guarantees: ["silent"],
  drops: [
    converted(
      "createdAt",
      "Request Tracker dates a file by its arrival; the message's subject names the original time.",
    ),
    converted(
      "author",
      "Request Tracker names the signed-in account as author; the message's subject names the original author.",
    ),
    cleared("updatedAt", "Files don't change in Request Tracker."),
    cleared("inline", "Request Tracker can't add an image to an existing message."),
    cleared("tags", "Request Tracker has no tags."),
    cleared("customFields", "Files have no custom fields."),
  ],
  async find(io, asked) {
    const keys = asked.map(({ key }) => key);
    const messages = await findMessages(io, keys, null);
    const parts = await askParts(io, [...messages.values()].flat().map(Number));
    const files = await onlyFiles(io, parts);
    const idsIn = (transactions: readonly string[]) =>
      files.flatMap(({ part }) =>
        transactions.includes(String(part.TransactionId)) ? [String(part.id)] : [],
      );
    return new Map([...messages].map(([key, transactions]) => [key, idsIn(transactions)]));
  },
  // One after the other: parallel writes to one ticket would race for its status.
  write: (io, batch) => writeEach(io, batch, writeOne),
  read: readInOrder(attachmentsSource),
  openFile: openAttachment,
};
