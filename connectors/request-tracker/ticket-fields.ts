import {
  ConnectorError,
  once,
  originLine,
  strangeFields,
  truncateBytes,
  withOrigin,
  type Write,
} from "@portage/connector-kit";
import { askWholeList, numericIds } from "./ask.ts";
import { spelled } from "./comments-destination.ts";
import { fieldsOf, ticketFields, toRtValues } from "./custom-fields.ts";
import { canHold, firstMoment, toRtTime } from "./moments.ts";
import { queueQuestion } from "./queues-source.ts";
import type { RtIo } from "./settings.ts";
import { quietAddresses } from "./silence.ts";
import { firstWord, isInactive, priorityNumber, statusWord, type Ticket } from "./statuses.ts";

export const maxSubject = 200;

/** The queue for tickets without a group: RT has no ticket without a queue. */
const firstQueue = once(async (io: RtIo): Promise<string> => {
  const limits = [{ field: "id", operator: ">", value: 0 }];
  const rows = await askWholeList(io, { ...queueQuestion, disabledToo: false, limits });
  const first = rows.find(({ Disabled }) => Disabled === 0);
  if (first) return String(first.id);
  throw new ConnectorError({
    recovery: "abort",
    code: "no_queue",
    message: "This account sees no queue in Request Tracker that can take tickets.",
  });
});

export const queueOf = async (io: RtIo, { groupId }: Ticket): Promise<string> =>
  String(numericIds([groupId ?? ""])[0] ?? (await firstQueue(io)));

/** The field that identifies a copy; without the field RT would drop the key silently. */
export const externalField = async (io: RtIo): Promise<string> => {
  const name = io.settings.externalIdField;
  const field = (await fieldsOf(io, ticketFields)).find((each) => each.Name === name);
  if (field) return field.id;
  throw new ConnectorError({
    recovery: "abort",
    code: "missing_custom_field",
    message: `Request Tracker has no custom field “${name}” on tickets. An administrator must make one (type: Enter one value) and apply it to all queues.`,
    setting: "externalIdField",
  });
};

const personId = (who: Ticket["author"]): string | null =>
  String(numericIds([who?.id ?? ""])[0] ?? "") || null;

export interface People {
  readonly author: string | null;
  readonly owner: string | null;
  readonly requesters: readonly string[];
  readonly copies: readonly string[];
}

/** Only people who exist in RT: it would silently create a user for any other address. */
export const peopleOf = (ticket: Ticket): People => {
  // RT shows a ticket to its requestors, so an internal ticket gets none.
  const isPublic = ticket.visibility === "public";
  const requester = personId(ticket.requester);
  return {
    author: personId(ticket.author),
    owner: personId(ticket.assignee),
    requesters: isPublic && requester ? [requester] : [],
    copies: isPublic ? numericIds(ticket.followers.map(({ id }) => id)).map(String) : [],
  };
};

const shown = (who: Ticket["author"]) => (who && !who.id && (who.name || who.email) ? who : null);

const originOf = async (io: RtIo, ticket: Ticket): Promise<string> => {
  const known = new Set((await fieldsOf(io, ticketFields)).map(({ id }) => id));
  const isPublic = ticket.visibility === "public";
  return originLine({
    also: {
      Author: shown(ticket.author),
      Requester: isPublic ? shown(ticket.requester) : ticket.requester,
      Assignee: shown(ticket.assignee),
      Tags: ticket.tags,
      Created: ticket.createdAt && !canHold(ticket.createdAt) ? ticket.createdAt : null,
      "Last changed": ticket.updatedAt,
      Due: ticket.dueAt && !canHold(ticket.dueAt) ? ticket.dueAt : null,
      Status: statusWord(ticket) === ticket.status.toLowerCase() ? null : ticket.status,
      Priority: ticket.priority === String(priorityNumber(ticket)) ? null : ticket.priority,
      Type: ticket.type,
      Channel: ticket.channel,
      ...strangeFields(ticket, known),
    },
  });
};

const time = (moment: string | null) => (moment && canHold(moment) ? { at: toRtTime(moment) } : null);

/** RT dates every resolved ticket; a record without such a date gets the date of its last change. */
export const resolvedAt = ({ solvedAt, updatedAt, createdAt }: Ticket) =>
  (time(solvedAt) ?? time(updatedAt) ?? time(createdAt))?.at;

/** A new ticket in RT's form. */
export const newTicket = async (io: RtIo, { key, record }: Write<Ticket>) => {
  const Queue = await queueOf(io, record);
  const { author, owner, requesters, copies } = peopleOf(record);
  const word = statusWord(record);
  const body = record.description ? spelled("description", record.description) : null;
  const origin = await originOf(io, record);
  const text = body?.text ?? "";
  const content = origin === "" ? text : withOrigin(text, body?.html ? "html" : "plain", origin, key);
  const everybody = [...requesters, ...copies, ...(owner ? [owner] : [])];
  const created = record.createdAt ? (canHold(record.createdAt) ? record.createdAt : firstMoment) : null;
  const ticket: Record<string, unknown> = {
    Queue,
    Subject: truncateBytes(record.subject.replaceAll("\n", " "), maxSubject),
    Status: firstWord(word),
    Priority: priorityNumber(record),
    Requestor: requesters,
    Cc: copies,
    // RT does not store this with the ticket: it applies to this one event.
    TransSquelchMailTo: await quietAddresses(io, Queue, everybody),
    CustomFields: {
      ...(await toRtValues(io, ticketFields, record.customFields)),
      [await externalField(io)]: key,
    },
  };
  if (content !== "")
    Object.assign(ticket, { Content: content, ContentType: body?.html ? "text/html" : "text/plain" });
  if (owner) ticket.Owner = owner;
  if (author) ticket.Creator = Number(author);
  if (created) ticket.Created = toRtTime(created);
  if (created && word !== "new") ticket.Started = toRtTime(created);
  if (isInactive(word)) ticket.Resolved = resolvedAt(record);
  const due = time(record.dueAt);
  if (due) ticket.Due = due.at;
  return ticket;
};
