import {
  cleared,
  converted,
  type DestinationStream,
  type FieldChange,
  helpdesk,
  inDoubt,
  isNumericId,
  type Outcome,
  readInOrder,
  rejected,
  type Write,
  writeEach,
} from "@portage/connector-kit";
import { convertRichText } from "@portage/connector-kit/rich-text";
import { urlOf } from "./addresses.ts";
import { messageSubject } from "./carrier.ts";
import { askComments, type Comment, commentsSource } from "./comments-source.ts";
import { findMessages, isNothing, sendMessage, writtenMessage } from "./message-form.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import {
  askStates,
  ownerAddresses,
  restoreTimes,
  statusAgain,
  type TicketState,
  timesNotRestored,
} from "./ticket-state.ts";

interface Spelled {
  readonly html: boolean;
  readonly text: string;
  readonly changes: readonly FieldChange[];
}

/** A text in a form that RT can hold: plain or HTML, with LF line ends. */
export const spelled = (field: string, { format, text }: Comment["body"]): Spelled => {
  const foreign = format === "markdown" || format === "textile";
  const html = foreign || format === "html";
  const own = foreign ? convertRichText({ format, text }, "html").text : text;
  const flat = own.replaceAll("\r\n", "\n");
  const becomes = { format: html ? "html" : "plain", text: flat, references: [] };
  const why = foreign
    ? "Request Tracker holds plain text and HTML; the text became HTML."
    : "Request Tracker has only one kind of line end.";
  const changes = flat === text && !foreign ? [] : [{ ...converted(field, why), becomes }];
  return { html, text: flat, changes };
};

const nothing = converted(
  "body",
  "Request Tracker records no empty message, so the copy says that the message was empty.",
);

const writeOne = async (
  io: RtIo,
  { key, record, id }: Write<Comment>,
  state: TicketState | undefined,
): Promise<Outcome<Comment>> => {
  if (id !== null)
    return rejected("not_changeable", "Request Tracker can't change a message after it is written.");
  if (!state) return rejected("parent_missing", "The ticket does not exist or was deleted.", "ticketId");
  const { html, text, changes } = spelled("body", record.body);
  const empty = isNothing(text, html);
  const isRecorded = await sendMessage(io, {
    ticketId: state.id,
    visibility: record.visibility,
    subject: messageSubject(record, key),
    html: html && !empty,
    text: empty ? (text === "0" ? "0\n" : "(no text)") : text,
    addresses: ownerAddresses(state),
    set: record.visibility === "public" ? statusAgain(state) : {},
  });
  const written = await writtenMessage(io, key, state.id, isRecorded);
  if (typeof written !== "string") return written;
  return { kind: "written", id: written, changes: empty ? [...changes, nothing] : changes };
};

/** Writes the comments of one ticket, in order: RT dates messages by their arrival. */
const writeThread = async (
  io: RtIo,
  writes: readonly Write<Comment>[],
  state: TicketState | undefined,
): Promise<readonly Outcome<Comment>[]> => {
  const outcomes = await writeEach(io, writes, (watched, write) => writeOne(watched, write, state));
  const isReply = (index: number) => writes[index]?.record.visibility === "public";
  const replied = outcomes.some(({ kind }, index) => isReply(index) && kind !== "rejected");
  if (!state || !replied || (await restoreTimes(io, state))) return outcomes;
  const last = outcomes.findLastIndex(({ kind }, index) => isReply(index) && kind === "written");
  return outcomes.map((outcome, index) =>
    index === last && outcome.kind === "written"
      ? { ...outcome, changes: [...(outcome.changes ?? []), timesNotRestored("ticketId", state.id)] }
      : outcome,
  );
};

export const commentsDestination: DestinationStream<Comment, RtSettings> = {
  stream: helpdesk.comments,
  batchSize: 20,
  idempotency: "lookup",
  guarantees: ["silent"],
  drops: [
    converted(
      "createdAt",
      "Request Tracker dates a message by its arrival; its subject names the original time.",
    ),
    converted(
      "author",
      "Request Tracker names the signed-in account as author; the subject names the original author.",
    ),
    cleared("updatedAt", "Messages don't change in Request Tracker."),
    cleared("tags", "Request Tracker has no tags."),
    cleared("customFields", "Messages have no custom fields of their own."),
  ],
  async find(io, asked) {
    const found = new Map<string, readonly string[]>();
    const ofEach = Map.groupBy(asked, ({ parentId = "" }) => (isNumericId(parentId) ? parentId : null));
    for (const [ticketId, queries] of ofEach) {
      const keys = queries.map(({ key }) => key);
      const messages = await findMessages(io, keys, ticketId);
      const said = await askComments(io, [...messages.values()].flat());
      const there = new Set(said.map(({ row }) => String(row.id)));
      for (const [key, ids] of messages)
        found.set(
          key,
          ids.filter((id) => there.has(id)),
        );
    }
    return found;
  },
  async write(io, batch) {
    const states = await askStates(
      io,
      batch.map(({ record }) => record.ticketId),
    );
    const outcomes = new Map<Write<Comment>, Outcome<Comment>>();
    const threads = [...Map.groupBy(batch, ({ record }) => record.ticketId)].map(
      async ([ticketId, writes]) => {
        const done = await writeThread(io, writes, states.get(ticketId));
        for (const [index, write] of writes.entries())
          outcomes.set(write, done[index] ?? inDoubt("Not attempted."));
      },
    );
    await Promise.all(threads);
    return batch.map((write) => outcomes.get(write) ?? inDoubt("Not attempted."));
  },
  read: readInOrder(commentsSource),
  urlOf: urlOf("comments"),
};
