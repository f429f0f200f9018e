import type { WizardExample, WizardStreamChanges } from "@portage/contract/wizard";

type Change = WizardStreamChanges["changes"][number];

/** Fields of one kind of record with the same change, reason and count. */
export interface ChangedFields extends Pick<Change, "change" | "why" | "count"> {
  readonly stream: string;
  readonly label: string;
  readonly fields: readonly string[];
  /** An affected record; omitted if none is known. */
  readonly example?: WizardExample;
}

const order: readonly Change["change"][] = ["cleared", "truncated", "converted"];

/** Losses first, then by frequency. */
export const changedFields = ({
  streams,
}: {
  readonly streams: readonly WizardStreamChanges[];
}): readonly ChangedFields[] => {
  const groups = new Map<string, ChangedFields>();
  for (const { stream, label, changes } of streams)
    for (const { change, why, count, example, label: field } of changes) {
      const key = JSON.stringify([stream, change, why, count, example?.id]);
      const fields = [...(groups.get(key)?.fields ?? []), field];
      groups.set(key, { stream, label, change, why, count, fields, ...(example && { example }) });
    }
  return [...groups.values()].toSorted(
    (a, b) => order.indexOf(a.change) - order.indexOf(b.change) || b.count - a.count,
  );
};
