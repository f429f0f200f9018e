import { isDeepStrictEqual } from "node:util";
import type { FieldChange } from "@portage/connector-kit";
import { spelled } from "./comments-destination.ts";
import { canHold, heldMoment } from "./moments.ts";
import type { Ticket } from "./statuses.ts";

type Field = keyof Ticket;

const reasons: Partial<Record<Field, string>> = {
  subject: "Request Tracker's subjects are one line of at most 200 characters.",
  status: "Request Tracker has other names for a ticket's status.",
  statusKind: "Request Tracker's statuses are new, open, stalled, resolved and rejected.",
  priority: "Request Tracker's priorities are numbers.",
  priorityKind: "Request Tracker's priorities are numbers; no priority becomes the lowest.",
  groupId: "Every ticket in Request Tracker is in a queue.",
  dueAt: "Request Tracker has no dates before 1970, and whole seconds only.",
  solvedAt: "Request Tracker sets this date on every resolved ticket, and only there.",
};

const people = ["requester", "assignee"] as const;

const personChange = (
  field: "requester" | "assignee",
  wanted: Ticket["author"],
  got: Ticket["author"],
): FieldChange =>
  wanted?.id && wanted.id === got?.id
    ? { field, change: "converted", why: "Request Tracker shows people by the names they have there." }
    : {
        field,
        change: got ? "converted" : "cleared",
        why:
          field === "assignee"
            ? "Request Tracker has no such person, or they can't own tickets of this queue."
            : "Request Tracker has no such person, or the ticket is internal.",
      };

/** The fields that a ticket lost, found by comparing the record with the copy in RT. */
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
      why: "Request Tracker lists each person once on a ticket.",
    });
  for (const [key, value] of Object.entries(record.customFields))
    if (!isDeepStrictEqual(value, got.customFields[key]))
      changes.push({
        field: `customFields.${key}`,
        change: got.customFields[key] === undefined ? "cleared" : "converted",
        why: "Request Tracker has no such field, or stores its value differently.",
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
      why: "Request Tracker has no such person; the text names the author.",
    });
  return changes;
};
