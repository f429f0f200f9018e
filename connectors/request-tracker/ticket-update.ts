import { converted, type Outcome, rejected, truncateBytes, type Write } from "@portage/connector-kit";
import { tell } from "./ask.ts";
import { noteSubject } from "./carrier.ts";
import { ticketFields, toRtValues } from "./custom-fields.ts";
import { notRecorded, sendMessage } from "./message-form.ts";
import { canHold, toRtTime } from "./moments.ts";
import { addressesOf } from "./people.ts";
import type { RtIo } from "./settings.ts";
import { isInactive, priorityNumber, statusWord, type Ticket } from "./statuses.ts";
import { maxSubject, peopleOf, queueOf, resolvedAt } from "./ticket-fields.ts";
import { askTickets, toTicket } from "./tickets-source.ts";

const descriptionStays = converted(
  "description",
  "Request Tracker can't change the first message of a ticket.",
);

/** The changes about which RT sends no mail. */
const quietChanges = async (io: RtIo, record: Ticket): Promise<Record<string, unknown>> => {
  const { requesters, copies } = peopleOf(record);
  return {
    Subject: truncateBytes(record.subject.replaceAll("\n", " "), maxSubject),
    Priority: priorityNumber(record),
    Requestor: requesters,
    Cc: copies,
    CustomFields: await toRtValues(io, ticketFields, record.customFields),
    ...(record.dueAt && canHold(record.dueAt) ? { Due: toRtTime(record.dueAt) } : {}),
  };
};

/**
 * Changes a ticket that an earlier run wrote. RT sends mails about status, owner and queue: those change with a
 * private note, since RT lets a caller suppress mails only with a message.
 */
export const changeTicket = async (io: RtIo, { record, id }: Write<Ticket>): Promise<Outcome<Ticket>> => {
  const [row] = await askTickets(io, [id ?? ""]);
  if (!row || id === null) return rejected("not_found", "The ticket no longer exists.");
  const was = await toTicket({ row, message: undefined }, io);
  const word = statusWord(record);
  const { owner } = peopleOf(record);
  const queue = await queueOf(io, record);
  const loud: Record<string, string> = {
    ...(word === row.Status ? {} : { Status: word }),
    ...(owner && owner !== was.assignee?.id ? { Owner: owner, ForceOwnerChange: "1" } : {}),
    ...(queue === row.Queue.id ? {} : { Queue: queue }),
  };
  if (Object.keys(loud).length > 0) {
    const notified = [was.assignee?.id, owner].filter((person) => person !== null && person !== undefined);
    const addresses = (await Promise.all(notified.map((person) => addressesOf(io, "user", person)))).flat();
    const isRecorded = await sendMessage(io, {
      ticketId: id,
      visibility: "internal",
      subject: noteSubject,
      html: false,
      text: `Changed as in the old tool: ${Object.keys(loud).join(", ")}.`,
      addresses,
      set: loud,
    });
    if (!isRecorded) return notRecorded;
  }
  const resolved = isInactive(word) ? resolvedAt(record) : undefined;
  const changes = { ...(await quietChanges(io, record)), ...(resolved ? { Resolved: resolved } : {}) };
  await tell(io, "PUT", `ticket/${id}`, changes);
  return { kind: "written", id, changes: record.description ? [descriptionStays] : [] };
};
