import type { FamilyRecord, FamilyStream, FieldChange, Io, SourceStream, Who } from "@portage/connector-kit";
import { type ComparedField, compareRecords } from "./compare-records.ts";
import { type CompiledMapping, compileMapping } from "../apply/compile-mapping.ts";
import type { Mapping } from "../model/mapping.ts";
import { nothingKnown, type PreviewNames, readAs } from "./moved-fields.ts";
import { noteKeysOf } from "../model/note-keys.ts";
import { ownValue } from "../model/own-value.ts";
import { holdsPeople, valueOf } from "../model/word-fields.ts";

export interface Preview {
  readonly before: FamilyRecord;
  readonly after: FamilyRecord;
  readonly fields: readonly ComparedField[];
}

type Fields = Readonly<Record<string, unknown>>;

const isPointer = (value: unknown): value is Who =>
  typeof value === "object" && value !== null && "stream" in value && "id" in value;

/** The record with its people as they will be; people written as records keep their names. */
const withPeople = (
  stream: FamilyStream,
  record: FamilyRecord,
  { personFor }: CompiledMapping,
  { destinationNameOf }: PreviewNames,
): FamilyRecord => {
  const personOf = (value: unknown, streamName: string): unknown => {
    if (Array.isArray(value))
      return value.map((each) => personOf(each, streamName)).filter((each) => each !== null);
    if (typeof value === "string") {
      const answer = personFor({ stream: streamName, id: value });
      if (answer.kind === "person") return answer.id;
      return answer.kind === "copy" ? value : null;
    }
    if (!isPointer(value) || value.stream === null || value.id === null) return value;
    const answer = personFor({ stream: value.stream, id: value.id });
    if (answer.kind === "copy") return value;
    if (answer.kind === "none") return { ...value, id: null };
    return { ...value, id: answer.id, name: destinationNameOf(answer.id) ?? value.name };
  };
  const changed = Object.entries(stream.relations)
    .filter(([, { to }]) => to.some(holdsPeople))
    .map(([field, { to }]) => [field, personOf(valueOf(record, field), to[0])]);
  return { ...record, ...(Object.fromEntries(changed) as Fields) };
};

/** A field that becomes a note looks unchanged but is no field; the copy shows whether the tool has a place for it. */
const withNotes = (
  fields: readonly ComparedField[],
  mapping: Mapping,
  stream: FamilyStream,
  changes: readonly FieldChange[],
): readonly ComparedField[] => {
  const own = ownValue(mapping.streams, stream.name);
  const notes = own ? noteKeysOf(own) : new Map<string, string>();
  return fields.map((field) => {
    const key = notes.get(field.field.replace(/^customFields\./, ""));
    const declared = changes.find((change) => change.field === `customFields.${key}`);
    return key === undefined || field.change !== undefined || !declared
      ? field
      : { ...field, change: declared.change, why: declared.why };
  });
};

/** What a mapping makes of a record. Writes nothing, and calls no tool. */
export const previewOf = (
  mapping: Mapping,
  stream: FamilyStream,
  before: FamilyRecord,
  names: PreviewNames = nothingKnown,
): Preview => {
  const compiled = compileMapping(mapping, names);
  // A person written as a record has no id there yet; the old tool's id stands in for it.
  const { record, changes } = compiled.apply(stream, before, ({ id }) => id);
  const after = withPeople(stream, record, compiled, names);
  const fields = compareRecords(stream, before, after, changes, readAs(mapping, stream, names));
  return { before, after, fields: withNotes(fields, mapping, stream, changes) };
};

export interface RecordPreviewNeeds {
  readonly source: SourceStream;
  readonly io: Io;
  readonly mapping: Mapping;
  readonly names?: PreviewNames;
}

export type Previewed =
  | ({
      readonly kind: "preview" /** How many there are to go through. */;
      readonly of: number | null;
    } & Preview)
  | { readonly kind: "missing" };

/** A record by its id, or one of the first few by its index. */
export type PreviewWhich = { readonly id: string } | { readonly at: number };

/** A customer does not go through more by hand, and all are on the first page of any tool. */
export const maxPreviewed = 5;

/** Reads the record from the source and writes nothing. */
export const previewRecord = async (
  { source, io, mapping, names }: RecordPreviewNeeds,
  which: PreviewWhich,
): Promise<Previewed> => {
  const answer = (record: FamilyRecord | undefined, of: number | null): Previewed =>
    record
      ? { kind: "preview", of, ...previewOf(mapping, source.stream, record, names) }
      : { kind: "missing" };
  if ("id" in which) {
    const found = await source.readByIds(io, [which.id]);
    return answer(
      found.find(({ id }) => id === which.id),
      null,
    );
  }
  // A stream read per parent has no defined first record.
  if (source.perParent) return { kind: "missing" };
  const { records } = await source.readPage(io, { cursor: null, since: null, parentId: null });
  const first = records.slice(0, maxPreviewed);
  return answer(first[which.at], first.length);
};
