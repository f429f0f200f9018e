import type { helpdesk, RecordOf, Word } from "@portage/connector-kit";

export type Ticket = RecordOf<typeof helpdesk.tickets>;

/** The words of the lifecycle that RT comes with. It has no list of them, and other lifecycles may have others. */
const kinds: Readonly<Record<string, Ticket["statusKind"]>> = {
  new: "new",
  open: "open",
  stalled: "pending",
  resolved: "solved",
  rejected: "closed",
};

/** What a copy can be. Priorities are any number, so that they are not listed. */
export const statusWords: readonly Word[] = Object.entries(kinds).map(([word, kind]) => ({
  value: word,
  label: word,
  kind,
}));

const inactive = new Set(["resolved", "rejected", "deleted"]);
const atCreation = new Set(["new", "open", "resolved"]);

/** What a word means; an own word is over when the ticket was resolved. */
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

/** The word to write: the record's own where RT has it and it means the same. */
export const statusWord = ({ status, statusKind }: Pick<Ticket, "status" | "statusKind">): string => {
  const own = status.toLowerCase();
  return kinds[own] === statusKind ? own : words[statusKind];
};

export const isInactive = (word: string) => inactive.has(word);
/** Active ones are left alone when somebody replies; all others become open. */
export const staysOnReply = (word: string) => word === "open" || word === "stalled";
/** What a ticket can begin its life with; the others come after. */
export const firstWord = (word: string) => (atCreation.has(word) ? word : "open");

/** RT's priorities are numbers; the names that it shows are Low (0), Medium (50) and High (100). */
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
