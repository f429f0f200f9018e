import type { RichText, Who } from "@portage/connector-kit";
import type { Status, Tracker } from "./catalog.ts";
import type { Task, Ticket } from "./issue-records.ts";
import { taskStatusKind, ticketStatusKind } from "./kinds.ts";

/** The fields to write of a task or a ticket, independent of the family. */
export interface Draft {
  readonly projectId: string | null;
  readonly subject: string;
  readonly description: RichText | null;
  readonly type: string | null;
  readonly status: string;
  means(status: Status, trackers: readonly Tracker[]): boolean;
  readonly priority: string | null;
  readonly priorityKind: string | null;
  readonly category: string | null;
  readonly versionId: string | null;
  readonly parentId: string | null;
  readonly author: Who | null;
  readonly assignee: Who | null;
  readonly watcherIds: readonly string[];
  readonly startsOn: string | null;
  readonly dueOn: string | null;
  readonly minutes: number | null;
  readonly donePercent: number | null;
  readonly isPrivate: boolean;
  /** People whom only the origin line shows. */
  readonly people: Readonly<Record<string, Who | null>>;
  readonly also: Readonly<Record<string, string | null>>;
}

export const draftTask = (task: Task): Draft => ({
  projectId: task.projectId,
  subject: task.title,
  description: task.description,
  type: task.type,
  status: task.status,
  means: (status, trackers) => taskStatusKind(status, trackers) === task.statusKind,
  priority: task.priority,
  priorityKind: task.priorityKind,
  category: task.category,
  versionId: task.versionId,
  parentId: task.parentTaskId,
  author: task.author,
  assignee: task.assignee,
  watcherIds: task.watcherIds,
  startsOn: task.startsOn,
  // Redmine refuses a due date before the start date.
  dueOn: task.dueOn && task.startsOn && task.dueOn < task.startsOn ? null : task.dueOn,
  minutes: task.estimatedMinutes,
  donePercent: task.donePercent === null ? null : Math.round(task.donePercent),
  isPrivate: task.visibility === "internal",
  people: {},
  also: { "Done on": task.closedAt },
});

export const draftTicket = (ticket: Ticket): Draft => ({
  projectId: ticket.groupId,
  subject: ticket.subject,
  description: ticket.description,
  type: ticket.type,
  status: ticket.status,
  means: (status, trackers) => ticketStatusKind(status, trackers) === ticket.statusKind,
  priority: ticket.priority,
  priorityKind: ticket.priorityKind,
  category: null,
  versionId: null,
  parentId: null,
  author: ticket.author ?? ticket.requester,
  assignee: ticket.assignee,
  watcherIds: ticket.followers.flatMap(({ stream, id }) => (stream === "users" ? [id] : [])),
  startsOn: null,
  dueOn: ticket.dueAt?.slice(0, 10) ?? null,
  minutes: null,
  donePercent: null,
  isPrivate: ticket.visibility === "internal",
  people: { Requester: ticket.requester },
  also: { "Came by": ticket.channel, "Due on": ticket.dueAt, "Solved on": ticket.solvedAt },
});
