import { type DateRange, type FamilyRecord, type FamilyStream, isWithin } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Mapping, Selection, SelectionFilter } from "./mapping.ts";
import { valueOf } from "./word-fields.ts";

/** What the records of a stream can be chosen by, besides their dates. Null: they have no such field. */
export interface ChoosableFields {
  readonly status: string | null;
  /** The stream names what the ids belong to. */
  readonly group: { readonly field: string; readonly stream: string } | null;
  readonly tags: boolean;
}

/** The streams whose records can be chosen. All others go along with these, or chosen records need them. */
export const choosable: Readonly<Record<Family, Readonly<Record<string, ChoosableFields>>>> = {
  helpdesk: { tickets: { status: "status", group: { field: "groupId", stream: "groups" }, tags: true } },
  projects: {
    tasks: { status: "status", group: { field: "projectId", stream: "projects" }, tags: true },
    timeEntries: { status: null, group: { field: "projectId", stream: "projects" }, tags: false },
  },
  crm: {
    deals: { status: null, group: { field: "pipelineId", stream: "pipelines" }, tags: true },
    activities: { status: null, group: null, tags: false },
  },
  content: { posts: { status: "state", group: null, tags: false } },
};

/** The streams that the date range filters. */
export const dated = (family: Family): readonly string[] => Object.keys(choosable[family]);

export const isStreamSelected = ({ selection }: Pick<Mapping, "selection">, stream: string): boolean =>
  selection.streams?.includes(stream) ?? true;

/** The date range, or null if the customer chose none. */
const rangeIn = ({ createdFrom, createdBefore, changedFrom }: Selection): DateRange | null =>
  createdFrom === null && createdBefore === null && changedFrom === null
    ? null
    : { createdFrom, createdBefore, changedFrom };

/** Whether the customer chose among the records of streams, and not only among streams. */
export const limitsRecords = (selection: Selection): boolean =>
  rangeIn(selection) !== null || limitsBeyondRange(selection);

const limitsBeyondRange = ({ changedBefore, statuses, groups, tags }: Selection): boolean =>
  changedBefore !== null || statuses !== null || groups !== null || tags !== null;

/** The limits as a date range that a tool may count by; null: there are none, or others as well. */
export const rangeOnly = (selection: Selection): DateRange | null =>
  limitsBeyondRange(selection) ? null : rangeIn(selection);

type IsIn = (record: FamilyRecord) => boolean;

/** What a record is chosen by; the empty value stands for none. */
export const choiceValues = (record: FamilyRecord, field: string): readonly string[] => {
  const value = valueOf(record, field);
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (each): each is string => typeof each === "string" && each !== "",
  );
  return texts.length === 0 ? [""] : texts;
};

const isAmong = (filter: SelectionFilter | null, field: string | null): IsIn => {
  if (filter === null || field === null) return () => true;
  const values = new Set(filter.values);
  return (record) =>
    choiceValues(record, field).some((each) => values.has(each)) === (filter.mode === "only");
};

/** A record without a date is in. */
const isChangedBefore =
  (before: string): IsIn =>
  ({ createdAt, updatedAt }) =>
    !(Date.parse(updatedAt ?? createdAt ?? "") >= Date.parse(before));

const compileLimits = (selection: Selection, { status, group, tags }: ChoosableFields): IsIn => {
  const range = rangeIn(selection);
  const all: readonly IsIn[] = [
    ...(range === null ? [] : [(record: FamilyRecord) => isWithin(range, record)]),
    ...(selection.changedBefore === null ? [] : [isChangedBefore(selection.changedBefore)]),
    isAmong(selection.statuses, status),
    isAmong(selection.groups, group?.field ?? null),
    isAmong(selection.tags, tags ? "tags" : null),
  ];
  return (record) => all.every((isIn) => isIn(record));
};

/** Whether a record is among those that the customer chose. */
export const compileSelection = ({
  selection,
}: Pick<Mapping, "selection">): ((stream: FamilyStream, record: FamilyRecord) => boolean) => {
  const limits = new Map<string, IsIn>();
  return ({ family, name }, record) => {
    if (!isStreamSelected({ selection }, name)) return false;
    const fields = choosable[family][name];
    if (fields === undefined) return true;
    const isIn = limits.get(name) ?? compileLimits(selection, fields);
    limits.set(name, isIn);
    return isIn(record);
  };
};
