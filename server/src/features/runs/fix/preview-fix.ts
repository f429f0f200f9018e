import type { FamilyRecord, FamilyStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Database } from "../../../platform/db.ts";
import {
  compareRecords,
  type CompiledMapping,
  compileMapping,
  holdsPeople,
  listCreatedFields,
  type Mapping,
  type PreviewNames,
  readAs,
  resolveCreations,
  type ShownValue,
} from "../../mapping/index.ts";
import type { OpenedSide, OpenRunSide, StreamPair } from "../chunk/chunk-context.ts";
import { streamPairs } from "../chunk/stream-pairs.ts";
import { type FormContext, type PreparedRecord, prepareRecord, toDestination } from "../copy/plan-record.ts";
import { isThere } from "../ledger/row-state.ts";
import { lookUp, type Target, targetKey } from "../ledger/store-claim.ts";
import { recordTitle } from "../sample/record-title.ts";
import type { UndoPreviewNeeds } from "../undo/undo-preview.ts";
import { findLeaf } from "../undo/store-undo-preview.ts";

interface FixPreviewNeeds extends Pick<UndoPreviewNeeds, "destinationStreams"> {
  readonly db: Database;
  readonly openSide: OpenRunSide;
}

/** A field that a fix changes: as it was sent before, and as it would be sent now. */
interface FixedField {
  readonly field: string;
  readonly label: string;
  readonly before: ShownValue;
  readonly after: ShownValue;
}

interface FixedRecord {
  readonly id: string;
  readonly title: string | null;
  /** The tool's own words about it; null: it gave none. */
  readonly detail: string | null;
  /** `left_out`: what it belongs to has no copy, so a retry would leave it out again. */
  readonly outcome: "written" | "left_out";
  readonly fields: readonly FixedField[];
}

export type FixPreview =
  | { readonly kind: "preview"; readonly records: readonly FixedRecord[] }
  /** A person must connect this side again. */
  | { readonly kind: "missing_side"; readonly side: "source" | "destination" }
  | { readonly kind: "no_stream" };

export interface FixQuestion {
  readonly importId: string;
  readonly family: Family;
  readonly stream: string;
  /** The records to show. */
  readonly ids: readonly string[];
  /** The mapping by which they failed, and the one with the fix. */
  readonly before: Mapping;
  readonly after: Mapping;
  readonly names: PreviewNames;
}

type Shown = Pick<FixedField, "label"> & { readonly value: ShownValue };

const valueAt = (record: FamilyRecord, field: string): unknown =>
  (record as unknown as Readonly<Record<string, unknown>>)[field];

const isPointer = (value: unknown): value is { readonly id: string | null } =>
  typeof value === "object" && value !== null && "stream" in value && "id" in value;

/** People as the destination names them; a person who is only named in a text stands in no field. */
const withNames = (
  stream: FamilyStream,
  record: FamilyRecord,
  nameOf: (id: string) => string | null,
): FamilyRecord => {
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (typeof value === "string") return nameOf(value) ?? value;
    if (!isPointer(value)) return value;
    return value.id === null ? null : (nameOf(value.id) ?? value);
  };
  const people = Object.entries(stream.relations).filter(([, { to }]) => to.some(holdsPeople));
  return {
    ...record,
    ...Object.fromEntries(people.map(([field]) => [field, named(valueAt(record, field))])),
  };
};

/** The targets of a record's references, with people as this mapping has them: the retry looks at them first. */
const targetsBy = (
  { personFor }: CompiledMapping,
  { references }: PreparedRecord,
  known: ReadonlyMap<string, Target>,
): ReadonlyMap<string, Target> => {
  const targets = new Map(known);
  for (const { stream, id } of references.filter((each) => holdsPeople(each.stream))) {
    const key = targetKey(stream, id);
    const answer = personFor({ stream, id });
    const row = known.get(key);
    const person = { stream, sourceId: id, reason: null, detail: null };
    if (answer.kind === "person") targets.set(key, { ...person, state: "matched", destId: answer.id });
    else if (answer.kind === "none") targets.delete(key);
    // Copied by the retry: the old tool's id stands in for one that there is not yet.
    else if (!row || !isThere(row.state)) targets.set(key, { ...person, state: "written", destId: id });
  }
  return targets;
};

interface Form {
  readonly outcome: FixedRecord["outcome"];
  readonly shown: ReadonlyMap<string, Shown>;
}

/** The form in which the copy would write a record, by the code of the copy. */
const formBy = (
  mapping: Mapping,
  ctx: Omit<FormContext, "mapping">,
  pair: StreamPair,
  record: FamilyRecord,
  { names, known }: { readonly names: PreviewNames; readonly known: ReadonlyMap<string, Target> },
): Form => {
  // Without names, as the copy: it has none for a person who would become a text.
  const compiled = compileMapping(mapping);
  const prepared = prepareRecord({ ...ctx, mapping: compiled }, record);
  const made = toDestination(
    { ...ctx, mapping: compiled },
    { targets: targetsBy(compiled, prepared, known) },
    prepared,
  );
  if (made.kind === "missing") return { outcome: "left_out", shown: new Map() };
  const { stream } = pair.from;
  const inNewTool = readAs(mapping, stream, names);
  const compared = compareRecords(
    stream,
    withNames(stream, record, names.nameOf),
    withNames(stream, made.record, names.destinationNameOf),
    made.changes,
    inNewTool,
  );
  const shown = new Map(
    compared.map(({ field, label, after }): [string, Shown] => [field, { label, value: after }]),
  );
  // What the mapping fills in has no counterpart in the old tool.
  const own = resolveCreations(mapping, []).streams[stream.name];
  const taken = new Set(inNewTool.moved?.map(({ to }) => to));
  for (const [key, value] of Object.entries(made.record.customFields)) {
    if (taken.has(key) || !own || !Object.hasOwn(own.fills, key)) continue;
    const field = own.destination[key];
    const labelOf = (option: string) =>
      field?.options?.find((each) => each.value === option)?.label || option;
    shown.set(`fills.${key}`, {
      label: field?.label ?? key,
      value: Array.isArray(value) ? value.map(labelOf) : typeof value === "string" ? labelOf(value) : value,
    });
  }
  return { outcome: "written", shown };
};

const isSameValue = (a: ShownValue, b: ShownValue) => JSON.stringify(a) === JSON.stringify(b);

const changedBetween = (before: Form, after: Form): readonly FixedField[] =>
  [...new Set([...after.shown.keys(), ...before.shown.keys()])].flatMap((field) => {
    const was = before.shown.get(field);
    const is = after.shown.get(field);
    const change = {
      field,
      label: is?.label ?? was?.label ?? field,
      before: was?.value ?? null,
      after: is?.value ?? null,
    };
    return isSameValue(change.before, change.after) ? [] : [change];
  });

/** Shows on records that failed what a changed mapping would make of them. Reads the old tool, and writes nothing. */
export const createFixPreview = ({ db, openSide, destinationStreams }: FixPreviewNeeds) => {
  const openBoth = async (importId: string) => {
    const source = await openSide({ importId, side: "source", runId: null });
    if (source.kind === "missing") return { kind: "missing_side" as const, side: "source" as const };
    const destination = await openSide({ importId, side: "destination", runId: null });
    if (destination.kind === "missing")
      return { kind: "missing_side" as const, side: "destination" as const };
    return { kind: "open" as const, source, destination };
  };
  const recordsOf = async (
    source: OpenedSide,
    pair: StreamPair,
    ids: readonly string[],
    signal: AbortSignal,
  ) => {
    const found = await pair.from.readByIds(source.io(signal), ids);
    return ids.flatMap((id) => found.find((record) => record.id === id) ?? []);
  };
  return async (asked: FixQuestion, signal: AbortSignal): Promise<FixPreview> => {
    const { importId, family, stream, ids, names } = asked;
    const sides = await openBoth(importId);
    if (sides.kind !== "open") return sides;
    const { source, destination } = sides;
    const offered = await destinationStreams(destination, family, signal);
    const streams = streamPairs(family, source.connector, offered);
    const pair = streams.find(({ name }) => name === stream);
    const leaf = await findLeaf(db, importId);
    if (!pair || leaf === undefined) return { kind: "no_stream" };
    const created = await listCreatedFields(db, importId);
    const [before, after] = [asked.before, asked.after].map((mapping) =>
      resolveCreations(mapping, created),
    ) as [Mapping, Mapping];
    const ctx = { lease: { stream }, streams, destination };
    const records: FixedRecord[] = [];
    for (const record of await recordsOf(source, pair, ids, signal)) {
      const { references } = prepareRecord({ ...ctx, mapping: compileMapping(after) }, record);
      const known = await lookUp(db, { leaf, importId }, [...references, { stream, id: record.id }]);
      const forms = [before, after].map((mapping) =>
        formBy(mapping, ctx, pair, record, { names, known }),
      ) as [Form, Form];
      records.push({
        id: record.id,
        title: recordTitle(record),
        detail: known.get(targetKey(stream, record.id))?.detail ?? null,
        outcome: forms[1].outcome,
        fields: changedBetween(...forms),
      });
    }
    return { kind: "preview", records };
  };
};
