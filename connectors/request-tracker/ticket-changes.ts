import {
  changesOnTheWay,
  converted,
  type FieldChange,
  helpdesk,
  isRefusal,
  once,
  type Reasons,
  recover,
  truncateBytes,
} from "@portage/connector-kit";
import { z } from "zod";
import { tell } from "./ask.ts";
import { spelled } from "./comments-destination.ts";
import { sentValues, ticketFields } from "./custom-fields.ts";
import { canHold, fromRtTime, heldMoment, nearestMoment, wholeSeconds } from "./moments.ts";
import type { RtIo } from "./settings.ts";
import {
  isInactive,
  priorityKindOf,
  priorityNumber,
  statusKindOf,
  statusWord,
  type Ticket,
} from "./statuses.ts";
import { maxSubject, peopleOf, queueOf, resolvedAt } from "./ticket-fields.ts";

const reasons: Reasons = {
  subject: "Request Tracker's subjects are one line of at most 200 bytes.",
  description: "Request Tracker holds plain text and HTML, with one kind of line end.",
  status: "Request Tracker has other names for a ticket's status.",
  statusKind: "Request Tracker's statuses are new, open, stalled, resolved and rejected.",
  priority: "Request Tracker's priorities are numbers.",
  priorityKind: "Request Tracker's priorities are numbers; no priority becomes the lowest.",
  groupId: "Every ticket in Request Tracker is in a queue.",
  createdAt: wholeSeconds,
  dueAt: wholeSeconds,
  solvedAt: "Request Tracker sets this date on every resolved ticket, and only there.",
  requester: "Request Tracker has no such person, or the ticket is internal.",
  assignee: "Request Tracker has no such person.",
  followers: "Request Tracker lists each person once on a ticket, and none on an internal one.",
  customFields: "Request Tracker has no such field, or stores its value differently.",
};

/** The ticket as RT would show what is sent. */
const sentTicket = async (io: RtIo, record: Ticket): Promise<Ticket> => {
  const word = statusWord(record);
  const { owner, requesters, copies } = peopleOf(record);
  const text = record.description ? spelled("description", record.description) : null;
  const priority = priorityNumber(record);
  const seen = new Set<string>();
  const { createdAt, dueAt } = record;
  return {
    ...record,
    subject: truncateBytes(record.subject.replaceAll("\n", " "), maxSubject),
    description: text?.text
      ? { format: text.html ? "html" : "plain", text: text.text, references: [] }
      : null,
    status: word,
    statusKind: statusKindOf(word, isInactive(word)),
    priority: String(priority),
    priorityKind: priorityKindOf(priority),
    groupId: await queueOf(io, record),
    createdAt: createdAt && nearestMoment(createdAt),
    dueAt: dueAt && canHold(dueAt) ? heldMoment(dueAt) : null,
    solvedAt: isInactive(word) ? fromRtTime(`${resolvedAt(record) ?? ""}Z`) : null,
    requester: requesters.length > 0 ? record.requester : null,
    assignee: owner === null ? null : record.assignee,
    followers: record.followers.filter(({ id }) => {
      const isNew = copies.includes(id) && !seen.has(id);
      seen.add(id);
      return isNew;
    }),
    customFields: await sentValues(io, ticketFields, record.customFields),
  };
};

const otherAuthor = converted("author", "Request Tracker has no such person; the text names the author.");

/** What RT can't hold of a ticket, from what is sent. */
export const ticketChanges = async (io: RtIo, record: Ticket): Promise<readonly FieldChange[]> => {
  const changes = changesOnTheWay(helpdesk.tickets, record, await sentTicket(io, record), reasons);
  const isDatedByRt = isInactive(statusWord(record)) && resolvedAt(record) === undefined;
  return [
    ...changes.map(({ becomes, ...change }) =>
      change.field === "solvedAt" && isDatedByRt ? change : { ...change, becomes },
    ),
    ...(record.author && peopleOf(record).author === null ? [otherAuthor] : []),
  ];
};

/** RT answers each field of a change with a sentence, and with success whatever it says. */
const refusesOwner = (io: RtIo, ticketId: string, owner: string): Promise<boolean> => {
  const answer = tell(io, "PUT", `ticket/${ticketId}`, { Owner: owner }, z.array(z.string()).catch([]));
  const isNo = (sentence: string) => /may not own|permission denied/i.test(sentence);
  return recover(
    answer.then((sentences) => sentences.some(isNo)),
    isRefusal,
    () => true,
  );
};

/** Who can't own tickets of which queue: what RT refused in this step. */
const refusedOwners = once(async (_io: RtIo) => new Set<string>());

const notOwner: FieldChange = {
  field: "assignee",
  change: "cleared",
  why: "The person can't own tickets of this queue in Request Tracker.",
  becomes: null,
};

/**
 * RT makes a ticket without an owner who has no right to own it, and does not say so. Asked to set that owner, it refuses. The
 * refusal counts for all tickets of the queue in this step.
 */
export const ownerRefused = async (
  io: RtIo,
  record: Ticket,
  { id, assignee }: Pick<Ticket, "id" | "assignee">,
): Promise<readonly FieldChange[]> => {
  const { owner } = peopleOf(record);
  if (owner === null || assignee !== null) return [];
  const known = await refusedOwners(io);
  const place = `${await queueOf(io, record)}/${owner}`;
  if (known.has(place)) return [notOwner];
  if (!(await refusesOwner(io, id, owner))) return [];
  known.add(place);
  return [notOwner];
};
