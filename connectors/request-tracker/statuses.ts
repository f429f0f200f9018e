import type { FieldOption, helpdesk, RecordOf } from "@portage/connector-kit";

export type Ticket = RecordOf<typeof helpdesk.tickets>;

/** The statuses of RT's default lifecycle. RT's API does not list them, and other lifecycles can differ. */
const kinds: Readonly<Record<string, Ticket["statusKind"]>> = {
  new: "new",
  open: "open",
  stalled: "pending",
  resolved: "solved",
  rejected: "closed",
};

/** The statuses that a copy can have. Priorities can be any number, so the connector does not list them. */
export const statusWords: readonly FieldOption[] = Object.entries(kinds).map(([word, kind]) => ({
  value: word,
  label: word,
  kind,
}));

const inactive = new Set(["resolved", "rejected", "deleted"]);
const atCreation = new Set(["new", "open", "resolved"]);

/** The meaning of a status; a custom status is solved if the ticket was resolved, else open. */
export const statusKindOf = (status: string, resolved: boolean): Ticket["statusKind"] =>
  kinds[status.toLowerCase()] ?? (resolved ? "solved" : "open");

const words: Readonly<Record<Ticket["statusKind"], string>> = {
  new: "new",
  open: "open",
  pending: "stalled",
  on_hold: "stalled",
  solved: "resolved",
  closed: "resolved",
};

/** The status to write: the record's own if RT has it with the same meaning. */
export const statusWord = ({ status, statusKind }: Pick<Ticket, "status" | "statusKind">): string => {
  const own = status.toLowerCase();
  return kinds[own] === statusKind ? own : words[statusKind];
};

export const isInactive = (word: string) => inactive.has(word);
/** A reply does not change an active status; it sets all others to open. */
export const staysOnReply = (word: string) => word === "open" || word === "stalled";
/** The status to create a ticket with; RT takes the others only afterwards. */
export const firstWord = (word: string) => (atCreation.has(word) ? word : "open");

/** RT's priorities are numbers; it shows them as Low (0), Medium (50) and High (100). */
const numbers = { low: 0, normal: 50, high: 100, urgent: 120 } as const;

export const priorityKindOf = (priority: number): NonNullable<Ticket["priorityKind"]> => {
  if (priority > 100) return "urgent";
  if (priority >= 75) return "high";
  return priority >= 25 ? "normal" : "low";
};

export const priorityNumber = ({
  priority,
  priorityKind,
}: Pick<Ticket, "priority" | "priorityKind">): number => {
  if (priority !== null && /^\d{1,4}$/.test(priority)) {
    const own = Number(priority);
    if (priorityKind === null || priorityKindOf(own) === priorityKind) return own;
  }
  return priorityKind === null ? 0 : numbers[priorityKind];
};
