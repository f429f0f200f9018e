import type { Family } from "@portage/contract";
import { folded } from "../model/fold.ts";

type Meanings = Readonly<Record<string, readonly string[]>>;

const ticketStatuses: Meanings = {
  new: ["new", "unassigned", "created", "submitted"],
  open: ["open", "in progress", "active", "assigned", "reopened", "working"],
  pending: [
    "pending",
    "waiting",
    "waiting on customer",
    "waiting for customer",
    "awaiting reply",
    "feedback",
  ],
  on_hold: ["on hold", "hold", "paused", "waiting on us", "waiting on third party", "stalled", "deferred"],
  solved: ["solved", "resolved", "done", "fixed", "completed"],
  closed: ["closed", "archived", "rejected", "cancelled", "canceled"],
};

const taskStatuses: Meanings = {
  todo: ["todo", "to do", "new", "open", "backlog", "planned", "not started", "ready"],
  in_progress: ["in progress", "doing", "started", "active", "review", "in review", "testing", "feedback"],
  done: ["done", "closed", "resolved", "completed", "complete", "finished", "fixed", "released"],
  canceled: ["canceled", "cancelled", "rejected", "won t do", "wont do", "won t fix", "duplicate", "invalid"],
};

const priorities: Meanings = {
  low: ["low", "lowest", "minor", "trivial", "p4"],
  normal: ["normal", "medium", "standard", "default", "p3"],
  high: ["high", "major", "important", "p2"],
  urgent: ["urgent", "critical", "blocker", "highest", "immediate", "emergency", "p1"],
};

const tableFor = (family: Family, field: string): Meanings => {
  if (field === "priority") return priorities;
  if (field !== "status") return {};
  return family === "helpdesk" ? ticketStatuses : taskStatuses;
};

/** The likely meaning of a word if the tool states none; null if unknown. */
export const likelyKind = (family: Family, field: string, word: string): string | null => {
  const said = folded(word);
  return Object.entries(tableFor(family, field)).find(([, words]) => words.includes(said))?.[0] ?? null;
};

const neighbours: Readonly<Record<string, readonly string[]>> = {
  "status.new": ["open"],
  "status.open": ["new"],
  "status.pending": ["on_hold", "open"],
  "status.on_hold": ["pending", "open"],
  "status.solved": ["closed"],
  "status.closed": ["solved"],
  "status.todo": ["in_progress"],
  "status.in_progress": ["todo"],
  "status.canceled": ["done"],
  "priority.low": ["normal"],
  "priority.high": ["urgent", "normal"],
  "priority.urgent": ["high"],
};

/** The nearest meanings, for a tool without a word for the meaning itself. */
export const nearKinds = (field: string, kind: string): readonly string[] =>
  neighbours[`${field}.${kind}`] ?? [];
