import { isDeepStrictEqual } from "node:util";
import type { FieldChange } from "@portage/connector-kit";
import { spelled } from "./comments-destination.ts";
import { canHold, heldMoment } from "./moments.ts";
import type { Ticket } from "./statuses.ts";

type Field = keyof Ticket;

const reasons: Partial<Record<Field, string>> = {
  subject: "Request Tracker's subjects are one line of at most 200 characters.",
  status: "Request Tracker has other words for a ticket's state.",
  statusKind: "Request Tracker's states are new, open, stalled, resolved and rejected.",
  priority: "Request Tracker's priorities are numbers.",
  priorityKind: "Request Tracker's priorities are numbers; none is the lowest.",
  groupId: "Every ticket of Request Tracker is in a queue.",
  dueAt: "Request Tracker has no dates before 1970, and whole seconds only.",
  solvedAt: "Request Tracker dates each ticket that is over, and no other.",
};

const people = ["requester", "assignee"] as const;

const personChange = (
  field: "requester" | "assignee",
  wanted: Ticket["author"],
  got: Ticket["author"],
): FieldChange =>
  wanted?.id && wanted.id === got?.id
    ? { field, change: "converted", why: "Request Tracker shows people by the names that they have there." }
    : {
        field,
        change: got ? "converted" : "cleared",
        why:
          field === "assignee"
            ? "Nobody there has this name, or Request Tracker does not let them own tickets of this queue."
            : "Nobody there has this name, or the ticket is not for customers' eyes.",
      };

/** What a ticket lost on its way, told by comparing it with what RT has now. */
export const ticketChanges = (record: Ticket, got: Ticket): readonly FieldChange[] => {
  const changes: FieldChange[] = [];
  for (const [field, why] of Object.entries(reasons) as [Field, string][])
    if (record[field] !== got[field])
      changes.push({ field, change: got[field] === null ? "cleared" : "converted", why });
  for (const field of people)
    if (!isDeepStrictEqual(record[field], got[field]))
      changes.push(personChange(field, record[field], got[field]));
  if (!isDeepStrictEqual(record.followers, got.followers))
    changes.push({
      field: "followers",
      change: "converted",
      why: "Request Tracker has nobody twice on a ticket.",
    });
  for (const [key, value] of Object.entries(record.customFields))
    if (!isDeepStrictEqual(value, got.customFields[key]))
      changes.push({
        field: `customFields.${key}`,
        change: got.customFields[key] === undefined ? "cleared" : "converted",
        why: "Request Tracker has no such field, or holds its value in another way.",
      });
  if (record.description) changes.push(...spelled("description", record.description).changes);
  const { createdAt } = record;
  if (createdAt && !canHold(createdAt))
    changes.push({
      field: "createdAt",
      change: "converted",
      why: "Request Tracker has no dates before 1970.",
    });
  else if (createdAt && heldMoment(createdAt) !== createdAt)
    changes.push({
      field: "createdAt",
      change: "truncated",
      why: "Request Tracker's times are whole seconds.",
    });
  if (record.author && record.author.id !== got.author?.id)
    changes.push({
      field: "author",
      change: "converted",
      why: "Nobody there has this name; the text names the author.",
    });
  return changes;
};
