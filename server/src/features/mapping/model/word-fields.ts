import { type FamilyRecord, type FamilyStream, familyStreams } from "@portage/connector-kit";
import { families, type Family } from "@portage/contract";
import type { z } from "zod";

/** A field that holds a word of the tool, and the field that holds the word's meaning. */
export interface WordField {
  readonly field: string;
  readonly kindField: string | null;
}

const known: readonly WordField[] = [
  { field: "status", kindField: "statusKind" },
  { field: "priority", kindField: "priorityKind" },
  { field: "type", kindField: null },
  { field: "activity", kindField: null },
];

type Shape = Readonly<Record<string, z.ZodType>>;

const shapeOf = ({ schema }: FamilyStream): Shape => (schema as unknown as { readonly shape: Shape }).shape;

export const fieldNamesOf = (stream: FamilyStream): readonly string[] => Object.keys(shapeOf(stream));

export const wordFieldsOf = (stream: FamilyStream): readonly WordField[] => {
  const shape = shapeOf(stream);
  return known.filter(({ field }) => Object.hasOwn(shape, field));
};

/** Whether a field accepts the value: a word where it needs one, a meaning that the family has. */
export const fits = (stream: FamilyStream, field: string, value: string | null): boolean =>
  shapeOf(stream)[field]?.safeParse(value).success ?? false;

export const valueOf = (record: FamilyRecord, field: string): unknown =>
  (record as unknown as Readonly<Record<string, unknown>>)[field];

/** The stream whose records are matched with people. */
export const peopleStreamOf = (family: Family): FamilyStream => {
  const found = familyStreams[family].find(({ kind }) => kind === "people");
  if (!found) throw new Error(`The family ${family} has no stream of people.`);
  return found;
};

const peopleStreams: ReadonlySet<string> = new Set(families.map((family) => peopleStreamOf(family).name));

/** Whether the records of a stream are matched with people; the names are the same in all families. */
export const holdsPeople = (stream: string): boolean => peopleStreams.has(stream);
