import type { FamilyStream } from "@portage/connector-kit";
import type { MovedField, ReadAs } from "./compare-records.ts";
import type { PeopleNames } from "../apply/compile-mapping.ts";
import { resolveCreations } from "../model/created-fields.ts";
import type { FieldShape, Mapping, StreamMapping } from "../model/mapping.ts";
import { noteKeysOf } from "../model/note-keys.ts";
import { labelsOf } from "../model/options.ts";
import { ownValue } from "../model/own-value.ts";

/** How both sides call people, and the new tool its words. */
export interface PreviewNames extends PeopleNames {
  readonly destinationNameOf: (id: string) => string | null;
  readonly destinationWordOf: (stream: string, field: string, word: string) => string;
}

export const nothingKnown: PreviewNames = {
  nameOf: () => null,
  destinationNameOf: () => null,
  destinationWordOf: (_stream, _field, word) => word,
};

const wordOf = (shape: FieldShape | undefined, nameOf: (id: string) => string | null) => {
  if (shape?.type !== "person") return labelsOf(shape?.options ?? null);
  return (id: string) => nameOf(id) ?? id;
};

const moved = (
  own: StreamMapping,
  key: string,
  noteKey: string | undefined,
  { nameOf, destinationNameOf }: PreviewNames,
): MovedField => {
  const choice = ownValue(own.fields, key);
  const shape = ownValue(own.source, key);
  const label = shape?.label ?? key;
  const labelOf = wordOf(shape, nameOf);
  const nowhere = { key, label, to: null, toLabel: label, labelOf, toLabelOf: labelOf };
  if (noteKey !== undefined) return { ...nowhere, to: noteKey, why: "" };
  if (choice?.as !== "field") return { ...nowhere, why: "Left behind, as you chose." };
  const to = ownValue(own.destination, choice.to);
  if (!to) return { ...nowhere, why: "The field that it was matched with is not there." };
  return { ...nowhere, to: choice.to, toLabel: to.label, toLabelOf: wordOf(to, destinationNameOf), why: "" };
};

/** Where a mapping puts the custom fields of a stream, and their labels on both sides. */
export const movedFields = (
  mapping: Mapping,
  stream: FamilyStream,
  names: PreviewNames = nothingKnown,
): readonly MovedField[] => {
  const own = ownValue(resolveCreations(mapping, []).streams, stream.name);
  if (!own) return [];
  const notes = noteKeysOf(own);
  return Object.keys(own.fields).map((key) => moved(own, key, notes.get(key), names));
};

/** How the values of a mapped record read in the new tool. */
export const readAs = (mapping: Mapping, stream: FamilyStream, names: PreviewNames): ReadAs => ({
  moved: movedFields(mapping, stream, names),
  toWord: (field, word) => names.destinationWordOf(stream.name, field, word),
});
