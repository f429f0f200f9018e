import {
  type DestinationStream,
  type FieldChange,
  helpdesk,
  type Outcome,
  type Write,
  writeRecord,
} from "@portage/connector-kit";
import { convertRichText } from "@portage/connector-kit/rich-text";
import { numericIds } from "./ask.ts";
import { type Comment, readComments } from "./comments-source.ts";
import { findMessages, isNothing, sendMessage, writtenMessage } from "./message-form.ts";
import { messageSubject } from "./provenance.ts";
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
  const changes: FieldChange[] = [];
  if (foreign)
    changes.push({
      field,
      change: "converted",
      why: "Request Tracker holds plain text and HTML; the text became HTML.",
      becomes,
    });
  else if (flat !== own)
    changes.push({
      field,
      change: "converted",
      why: "Request Tracker has only one kind of line end.",
      becomes,
    });
  return { html, text: flat, changes };
};

const nothing: FieldChange = {
  field: "body",
  change: "converted",
  why: "Request Tracker records no empty message, so the copy says that the message was empty.",
};

const immutable: Outcome<Comment> = {
  kind: "rejected",
  code: "not_changeable",
  message: "Request Tracker can't change a message after it is written.",
};

const gone: Outcome<Comment> = {
  kind: "rejected",
  code: "parent_missing",
  message: "The ticket does not exist or was deleted.",
  field: "ticketId",
};

const writeOne = async (
  io: RtIo,
  { key, record, id }: Write<Comment>,
  state: TicketState | undefined,
): Promise<Outcome<Comment>> => {
  if (id !== null) return immutable;
  if (!state) return gone;
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
  if (typeof written !== "number") return written;
  return { kind: "written", id: String(written), changes: empty ? [...changes, nothing] : changes };
};

/** Writes the comments of one ticket, in order: RT dates messages by their arrival. */
const writeThread = async (
  io: RtIo,
  writes: readonly Write<Comment>[],
  state: TicketState | undefined,
): Promise<readonly Outcome<Comment>[]> => {
  const outcomes: Outcome<Comment>[] = [];
  for (const write of writes)
    outcomes.push(await writeRecord(io, write, (watched) => writeOne(watched, write, state)));
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
    {
      field: "createdAt",
      change: "converted",
      why: "Request Tracker dates a message by its arrival; its subject names the original time.",
    },
    {
      field: "author",
      change: "converted",
      why: "Request Tracker names the signed-in account as author; the subject names the original author.",
    },
    { field: "updatedAt", change: "cleared", why: "Messages don't change in Request Tracker." },
    { field: "tags", change: "cleared", why: "Request Tracker has no tags." },
    { field: "customFields", change: "cleared", why: "Messages have no custom fields of their own." },
  ],
  async find(io, asked) {
    const found = new Map<string, readonly string[]>();
    const ofEach = Map.groupBy(asked, ({ parentId }) => numericIds([parentId ?? ""])[0] ?? null);
    for (const [ticketId, keys] of ofEach) {
      const messages = await findMessages(
        io,
        keys.map(({ key }) => key),
        ticketId === null ? null : String(ticketId),
      );
      const ids = [...messages.values()].flat().map(String);
      const there = new Set((await readComments(io, ids)).map(({ id }) => id));
      for (const [key, own] of messages)
        found.set(
          key,
          own.map(String).filter((id) => there.has(id)),
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
        for (const [index, write] of writes.entries()) outcomes.set(write, done[index] ?? gone);
      },
    );
    await Promise.all(threads);
    return batch.map((write) => outcomes.get(write) ?? { kind: "unknown", why: "Not attempted." });
  },
  async read(io, ids) {
    const found = new Map((await readComments(io, ids)).map((record) => [record.id, record]));
    return ids.map((id) => found.get(id) ?? null);
  },
  urlOf: ({ instanceUrl }, { id, parentId }) =>
    `${instanceUrl.replace(/\/$/, "")}/Ticket/Display.html?id=${parentId ?? ""}#txn-${id}`,
};
