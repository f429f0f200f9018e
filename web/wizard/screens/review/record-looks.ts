import type { WizardComparedField, WizardSampleRecord } from "@portage/contract/wizard";
import { CircleCheck, CircleX, Info, TriangleAlert, Undo2 } from "lucide-react";
import type { LucideIcon } from "../../../ui/icon.tsx";
import type { Tone } from "../../../ui/tone.ts";

/** The result of a record, as shown in the list. */
export type Verdict = "asMatched" | "note" | "notCopied" | "wasThere" | "removed";

export const lostIn = ({ fields }: Pick<WizardSampleRecord, "fields">): readonly WizardComparedField[] =>
  fields.filter(({ change }) => change === "cleared" || change === "truncated");

const isNoted = (record: WizardSampleRecord) =>
  lostIn(record).length > 0 ||
  record.fields.some(({ change }) => change === "converted") ||
  record.parts.some(({ missing }) => missing > 0);

export const verdictOf = (record: WizardSampleRecord): Verdict => {
  switch (record.state) {
    case "failed":
    case "skipped":
      return "notCopied";
    case "undone":
      return "removed";
    case "matched":
      return "wasThere";
    case "written":
    case "kept":
      return isNoted(record) ? "note" : "asMatched";
  }
};

export const verdictLooks: Readonly<Record<Verdict, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  asMatched: { icon: CircleCheck, tone: "ok" },
  note: { icon: TriangleAlert, tone: "warn" },
  notCopied: { icon: CircleX, tone: "bad" },
  wasThere: { icon: Info, tone: "info" },
  removed: { icon: Undo2, tone: "idle" },
};

/** Fields that hold people: they are matched on the people screen. */
const people = new Set(["author", "requester", "assignee", "owner", "createdBy", "watcherIds", "followers"]);
/** Fields that hold one of a few options. */
const words = new Set([
  "status",
  "priority",
  "type",
  "state",
  "kind",
  "stage",
  "stageId",
  "channel",
  "activity",
]);

/** The screen where a field's matching is decided. */
export interface MatchedAt {
  readonly screen: "people" | "fields";
  /** The row on that screen. */
  readonly part?: string;
}

/** Null: there is nothing to match. Customers are copied, not matched. */
export const matchedAt = (
  stream: string,
  { field, person, before }: Pick<WizardComparedField, "field" | "person" | "before">,
): MatchedAt | null => {
  if (person !== undefined) return { screen: "people", part: person };
  if (people.has(field)) return Array.isArray(before) ? { screen: "people" } : null;
  return field.startsWith("customFields.") || words.has(field)
    ? { screen: "fields", part: `${stream}.${field}` }
    : null;
};
