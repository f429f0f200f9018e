import {
  cleared,
  converted,
  type DestinationStream,
  type FieldChange,
  hasOthers,
  helpdesk,
  idsByKey,
  inDoubt,
  isNumericId,
  isRefusal,
  keyDiffers,
  keyIn,
  othersAdded,
  type Outcome,
  readInOrder,
  recover,
  rejected,
  removed,
  removeEach,
  type Together,
  type Write,
  writeEach,
  writeTogether,
} from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { ticketFieldSetup } from "./field-setup.ts";
import { askBySql, askOne, tell, tryToTell } from "./ask.ts";
import { noteSubject } from "./carrier.ts";
import { askHistory } from "./comments-source.ts";
import { customFieldsOf, ticketFields, valueRows } from "./custom-fields.ts";
import { askParts } from "./messages.ts";
import { subjectOf } from "./parts.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import { firstWord, isInactive, statusWord, statusWords, type Ticket } from "./statuses.ts";
import { ownerRefused, ticketChanges } from "./ticket-changes.ts";
import { externalField, newTicket, resolvedAt } from "./ticket-fields.ts";
import { changeTicket } from "./ticket-update.ts";
import { ticketsSource } from "./tickets-source.ts";

const made = z.array(z.union([z.object({ id: z.coerce.string() }), z.object({ message: z.string() })]));

const notSet = (field: string) =>
  converted(field, "Request Tracker did not let the import set the ticket's status.");

/**
 * Sets a status that RT does not accept at creation; RT sends no mail about these by default. The ticket is written: what RT
 * refuses here is a change.
 */
const finishStatus = async (io: RtIo, id: string, record: Ticket): Promise<readonly FieldChange[]> => {
  const word = statusWord(record);
  if (firstWord(word) === word) return [];
  if (!(await tryToTell(io, `ticket/${id}`, { Status: word })))
    return ["status", "statusKind", "solvedAt"].map(notSet);
  const resolved = resolvedAt(record);
  if (!isInactive(word) || !resolved) return [];
  return (await tryToTell(io, `ticket/${id}`, { Resolved: resolved })) ? [] : [notSet("solvedAt")];
};

/**
 * Creates several in one call that answers for each: only this call lets RT suppress mails to given addresses. RT uses one
 * processor per call, so several short calls run in parallel.
 */
const together: Together<Ticket, unknown, z.infer<typeof made>[number], RtSettings> = {
  atMost: 5,
  draft: newTicket,
  send: (io, tickets) => tell(io, "POST", "tickets/bulk", tickets, made),
  async outcome(io, { record }, row) {
    if (!("id" in row)) return rejected("rejected", row.message.slice(0, 500));
    return { kind: "written", id: row.id, changes: await finishStatus(io, row.id, record) };
  },
};

const withChanges = async (
  io: RtIo,
  writes: readonly Write<Ticket>[],
  outcomes: readonly Outcome<Ticket>[],
): Promise<readonly Outcome<Ticket>[]> => {
  const ids = outcomes.flatMap((outcome) => (outcome.kind === "written" ? [outcome.id] : []));
  const read = await recover(ticketsSource.readByIds(io, ids), isRefusal, () => []);
  const found = new Map(read.map((record) => [record.id, record]));
  return Promise.all(
    outcomes.map(async (outcome, index): Promise<Outcome<Ticket>> => {
      const record = writes[index]?.record;
      if (outcome.kind !== "written" || !record) return outcome;
      const got = found.get(outcome.id);
      if (!got) return inDoubt("Request Tracker took the ticket but does not show it.");
      const reported: readonly FieldChange[] = [
        ...(outcome.changes ?? []),
        ...(await ownerRefused(io, record, got)),
      ];
      const others = (await ticketChanges(io, record)).filter(
        ({ field }) => !reported.some((one) => one.field === field),
      );
      return { ...outcome, record: got, changes: [...reported, ...others] };
    }),
  );
};

/** TicketSQL is a part of the URL, which has at most 8 KB. */
const keysPerUrl = 40;

const keyRow = z.object({ id: z.coerce.string(), Status: z.string(), CustomFields: valueRows });

const keysOf = (io: RtIo, rows: z.infer<typeof valueRows>) =>
  rows.filter(({ name }) => name === io.settings.externalIdField).flatMap(({ values }) => values);

/** Whether people wrote on a ticket, or merged one into it. Each of our messages has a key in its subject. */
const isAnswered = async (io: RtIo, id: string, key: string): Promise<boolean> => {
  const history = await askHistory(io, Number(id));
  const said = history.filter(({ Type, ObjectId }) => Type !== "Create" || ObjectId !== id);
  const parts = await askParts(
    io,
    said.map((row) => row.id),
  );
  const subjects = said.map((row) => {
    const first = parts.find(({ TransactionId }) => TransactionId === row.id);
    return first ? subjectOf(first) : "";
  });
  return hasOthers(
    key,
    subjects.filter((subject) => subject !== noteSubject).map((subject) => keyIn(subject)),
  );
};

export const ticketsDestination: DestinationStream<Ticket, RtSettings> = {
  stream: helpdesk.tickets,
  batchSize: 20,
  idempotency: "lookup",
  guarantees: ["silent", "backdates", "keeps-author"],
  drops: [
    cleared("updatedAt", "Request Tracker sets it itself; the text names the original time."),
    cleared("tags", "Request Tracker has no tags; the text names them."),
    cleared("type", "Request Tracker's tickets have no types; the text names it."),
    cleared("channel", "Request Tracker does not store a ticket's channel; the text names it."),
    cleared("organizationId", "Request Tracker has no organizations."),
    cleared("visibility", "An internal ticket becomes one without a requestor."),
  ],
  async find(io, asked) {
    const keys = asked.map(({ key }) => key);
    const question = { path: "tickets", row: keyRow, fields: ["Status", "CustomFields"] };
    const rows = await askBySql(io, question, `'CF.{${io.settings.externalIdField}}'`, keys, keysPerUrl);
    const found = rows.flatMap(({ id, CustomFields }) =>
      keysOf(io, CustomFields).map((key) => ({ key: String(key), id })),
    );
    return idsByKey(asked, found);
  },
  async write(io, batch) {
    await externalField(io);
    const created = await writeTogether(
      io,
      batch.filter(({ id }) => id === null),
      together,
    );
    const changed = await writeEach(
      io,
      batch.filter(({ id }) => id !== null),
      changeTicket,
    );
    const [fresh, old] = [created.values(), changed.values()];
    const outcomes = batch.map(
      ({ id }) => (id === null ? fresh : old).next().value ?? inDoubt("Not attempted."),
    );
    return withChanges(io, batch, outcomes);
  },
  read: readInOrder(ticketsSource),
  /** RT keeps a deleted ticket and shows it only to users who know its number. */
  remove: (io, what) =>
    removeEach(what, async (id, key) => {
      const row = isNumericId(id) ? await askOne(io, `ticket/${id}`, keyRow) : null;
      if (!row || row.Status === "deleted") return removed;
      const keys = keysOf(io, row.CustomFields).map(String);
      if (row.id !== id || !keys.includes(key)) return keyDiffers(keys[0]);
      if (await isAnswered(io, id, key)) return othersAdded;
      await tell(io, "DELETE", `ticket/${id}`);
      return removed;
    }),
  undoNote:
    "A ticket stays if a message on it is not from an import, or a person merged another one into it. Links are not looked at. A removed ticket has the status “deleted”, and an administrator can bring it back.",
  customFields: customFieldsOf(ticketFields),
  options: async () => ({ status: statusWords }),
  fieldSetup: ticketFieldSetup,
  urlOf: urlOf("tickets"),
};
