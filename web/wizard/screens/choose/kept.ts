import type { WizardKind } from "@portage/contract/wizard";

export type Kept = "dates" | "tags" | "status";

export const holds = ({ dropped }: WizardKind, field: string) => !(field in dropped);

/** What can be said to stay with a ticket. */
export const keptOfTicket = (kind: WizardKind): readonly Kept[] => [
  ...(kind.backdates ? (["dates"] as const) : []),
  ...(["tags", "status"] as const).filter((field) => holds(kind, field)),
];

export type CommentText = "commentsBoth" | "commentsAuthor" | "commentsTime" | "comments";

/** What can be said to stay with a comment; null: not even who sees it. */
export const keptOfComment = (kind: WizardKind): CommentText | null => {
  if (!holds(kind, "visibility")) return null;
  if (kind.keepsAuthor) return kind.backdates ? "commentsBoth" : "commentsAuthor";
  return kind.backdates ? "commentsTime" : "comments";
};

/** What people would miss: in the new tool's own words, where it has any. */
export const lossesOf = ({ backdates, keepsAuthor, dropped }: WizardKind) => [
  ...(backdates ? [] : [{ loss: "ownDates" as const, why: dropped["createdAt"] ?? null }]),
  ...(keepsAuthor === false ? [{ loss: "ownAuthors" as const, why: dropped["author"] ?? null }] : []),
];
