import type { WizardKind } from "@portage/contract/wizard";

export type Kept = "dates" | "tags" | "status";

export const holds = ({ dropped }: WizardKind, field: string) => !(field in dropped);

/** The properties that we can promise to keep on a ticket. */
export const keptOfTicket = (kind: WizardKind): readonly Kept[] => [
  ...(kind.backdates ? (["dates"] as const) : []),
  ...(["tags", "status"] as const).filter((field) => holds(kind, field)),
];

export type CommentText = "commentsBoth" | "commentsAuthor" | "commentsTime" | "comments";

/** The text about what comments keep; null: not even their visibility. */
export const keptOfComment = (kind: WizardKind): CommentText | null => {
  if (!holds(kind, "visibility")) return null;
  if (kind.keepsAuthor) return kind.backdates ? "commentsBoth" : "commentsAuthor";
  return kind.backdates ? "commentsTime" : "comments";
};

/** Losses that customers would notice, in the connector's words if it has any. */
export const lossesOf = ({ backdates, keepsAuthor, dropped }: WizardKind) => [
  ...(backdates ? [] : [{ loss: "ownDates" as const, why: dropped["createdAt"] ?? null }]),
  ...(keepsAuthor === false ? [{ loss: "ownAuthors" as const, why: dropped["author"] ?? null }] : []),
];
