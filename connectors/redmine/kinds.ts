import type { Option, Status, Tracker } from "./catalog.ts";

/** The meanings of an instance's statuses. Administrators choose the names; Redmine defines their order and flags. */
export type TaskStatusKind = "todo" | "in_progress" | "done" | "canceled";
export type TicketStatusKind = "new" | "open" | "pending" | "on_hold" | "solved" | "closed";
export type PriorityKind = "low" | "normal" | "high" | "urgent";

const isFirst = (status: Pick<Status, "id">, trackers: readonly Tracker[]) =>
  trackers.some(({ default_status }) => default_status?.id === status.id);

export const taskStatusKind = (status: Status, trackers: readonly Tracker[]): TaskStatusKind => {
  if (status.is_closed)
    return /reject|cancel|invalid|won'?t|duplicate|abandon/i.test(status.name) ? "canceled" : "done";
  return isFirst(status, trackers) ? "todo" : "in_progress";
};

export const ticketStatusKind = (status: Status, trackers: readonly Tracker[]): TicketStatusKind => {
  if (status.is_closed) return "closed";
  if (/resolved|solved|done/i.test(status.name)) return "solved";
  if (/feedback|wait|pending/i.test(status.name)) return "pending";
  if (/hold|suspend|paused/i.test(status.name)) return "on_hold";
  return isFirst(status, trackers) ? "new" : "open";
};

/** By the distance from the default: Redmine lists priorities from the lowest up. */
export const priorityKind = (id: number, priorities: readonly Option[]): PriorityKind => {
  const index = priorities.findIndex((priority) => priority.id === id);
  const normal = priorities.findIndex(({ is_default }) => is_default);
  if (index < normal) return "low";
  if (index === normal) return "normal";
  return index === normal + 1 ? "high" : "urgent";
};
