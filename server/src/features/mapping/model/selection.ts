import { type DateRange, type FamilyRecord, type FamilyStream, isWithin } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Mapping } from "./mapping.ts";

/** The streams that the date range filters. All others go along with these, or newer records need them. */
export const dated: Readonly<Record<Family, readonly string[]>> = {
  helpdesk: ["tickets"],
  projects: ["tasks", "timeEntries"],
  crm: ["deals", "activities"],
  content: ["posts"],
};

export const isStreamSelected = ({ selection }: Mapping, stream: string): boolean =>
  selection.streams?.includes(stream) ?? true;

/** The date range, or null if the customer chose none. */
export const rangeOf = ({ selection }: Mapping): DateRange | null => {
  const { createdFrom, createdBefore, changedFrom } = selection;
  return createdFrom === null && createdBefore === null && changedFrom === null
    ? null
    : { createdFrom, createdBefore, changedFrom };
};

export const compileSelection = (
  mapping: Mapping,
): ((stream: FamilyStream, record: Pick<FamilyRecord, "createdAt" | "updatedAt">) => boolean) => {
  const range = rangeOf(mapping);
  return ({ family, name }, record) =>
    isStreamSelected(mapping, name) &&
    (range === null || !dated[family].includes(name) || isWithin(range, record));
};
