import {
  type DestinationStream,
  emptyAddedFields,
  type FamilyRecord,
  type FamilyStream,
  type FindQuery,
  isWho,
  referencesOf,
  unheldFields,
} from "@portage/connector-kit";
import { hash } from "node:crypto";
import { mayExist } from "./row-state.ts";
import type { KnownRow } from "./store-claim.ts";

export interface KeyParts {
  readonly importId: string;
  readonly keyGeneration: number;
  readonly stream: string;
  readonly sourceId: string;
}

/** The key by which a copy can be found again: one per import, generation and record, 63 characters. */
export const externalKey = ({ importId, keyGeneration, stream, sourceId }: KeyParts): string =>
  `${importId}:${hash("sha256", `${keyGeneration}\0${stream}\0${sourceId}`, "hex").slice(0, 32)}`;

/** The key of the copy that a row stands for. */
export const keyOfCopy = (
  { importId, stream }: Pick<KeyParts, "importId" | "stream">,
  { sourceId, keyGeneration }: { readonly sourceId: string; readonly keyGeneration: number | null },
): string => {
  if (keyGeneration === null) throw new Error(`The copy of ${stream}/${sourceId} has no key.`);
  return externalKey({ importId, keyGeneration, stream, sourceId });
};

/** The generation of the key for the next write: a certain or possible copy keeps the key that it was sent with. */
export const generationFor = (runNumber: number, row: KnownRow | undefined): number =>
  row && ((row.state === "written" && row.destId !== null) || mayExist(row))
    ? (row.keyGeneration ?? runNumber)
    : runNumber;

/** How many runs of one import lost commits may have contained, beside the one that was unfinished or the last one. */
const lostRuns = 4;

/** The generations of all keys that may have been sent for a record: more than one only if commits may be lost. */
export const generationsSent = (
  { runNumber, looksFrom }: { readonly runNumber: number; readonly looksFrom: number | null },
  row: KnownRow | undefined,
): readonly number[] => {
  const own = generationFor(runNumber, row);
  if (looksFrom === null) return [own];
  return [...new Set([own, ...Array.from({ length: lostRuns + 1 }, (_, index) => looksFrom + index)])];
};

interface Field {
  readonly name: string;
  /** As it is in the text. */
  readonly quoted: string;
}

interface Fields {
  readonly names: readonly string[];
  readonly sorted: readonly Field[];
}

const sortedFields = (names: readonly string[]): Fields => ({
  names,
  sorted: names.toSorted().map((name) => ({ name, quoted: `,${JSON.stringify(name)},` })),
});

/** The last answer for each number of fields and length of the first one's name: objects of one form follow each other. */
const lastFields = new Map<number, Fields>();

const fieldsOf = (value: object): readonly Field[] => {
  const names = Object.keys(value);
  const form = names.length * 1_024 + ((names[0]?.length ?? 0) % 1_024);
  const last = lastFields.get(form);
  if (last && names.every((name, index) => name === last.names[index])) return last.sorted;
  const fields = sortedFields(names);
  lastFields.set(form, fields);
  return fields.sorted;
};

/** Texts that are the same in JSON, but for the quotes. */
const plainText = /^[^"\\\u0000-\u001f\ud800-\udfff]*$/;

const textOfValue = (value: unknown): string => {
  if (typeof value === "string" && plainText.test(value)) return `"${value}"`;
  return value === null ? "null" : (JSON.stringify(value) ?? "null");
};

const none: readonly string[] = [];

/**
 * Equal content gives equal text, in whatever order a tool lists its fields. The text of an object is a list of its sorted fields
 * after `{}`, which no list of a record starts with. Ledgers hold hashes of it: it must never change.
 */
const textOf = (value: unknown, without: readonly string[]): string => {
  if (typeof value !== "object" || value === null) return textOfValue(value);
  if (Array.isArray(value))
    return value.length === 0 ? "[]" : `[${value.map((each) => textOf(each, none)).join(",")}]`;
  let text = "[{}";
  for (const { name, quoted } of fieldsOf(value)) {
    const each = (value as Readonly<Record<string, unknown>>)[name];
    if (each !== undefined && !without.includes(name)) text += quoted + textOf(each, none);
  }
  return `${text}]`;
};

/** Half of it, in hexadecimal digits. */
const digest = (record: FamilyRecord, without: readonly string[]) =>
  hash("sha256", textOf(record, without), "hex").slice(0, 32);

/**
 * Shows whether the record in the source is still the one that was copied. A field that its family got meanwhile, and that has no
 * value, is no change.
 */
export const sourceHash = (stream: Pick<FamilyStream, "addedFields">, record: FamilyRecord): string =>
  digest(record, emptyAddedFields(stream, record));

type Held = Pick<DestinationStream, "stream" | "addedFields" | "volatileFields">;

const withoutContent = (record: FamilyRecord, to: Held): readonly string[] => [
  "id",
  "updatedAt",
  ...(to.volatileFields ?? []),
  ...unheldFields(to),
  ...emptyAddedFields(to.stream, record),
];

/** An account may have another name and address and still be the same person. */
const withoutNames = (record: FamilyRecord): FamilyRecord => {
  let named: Record<string, unknown> | null = null;
  for (const [field, value] of Object.entries(record))
    if (isWho(value) && value.id !== null)
      (named ??= { ...record })[field] = { stream: value.stream, id: value.id };
  return (named as FamilyRecord | null) ?? record;
};

/**
 * Shows whether a person has edited the copy. Its id does not count, and `updatedAt` also moves when something is added
 * beside it: a comment of ours, a link. The connector declares what else moves by itself. Fields that the tool does not hold for us
 * are its own, and the names of people change with the people.
 */
export const destinationHash = (record: FamilyRecord, to: Held): string =>
  digest(withoutNames(record), withoutContent(record, to));

/** Whether a copy is as we left it. Ledgers also hold hashes from when the names of people counted. */
export const isAsLeft = (destHash: string | null, record: FamilyRecord, to: Held): boolean =>
  destHash !== null &&
  (destHash === destinationHash(record, to) || destHash === digest(record, withoutContent(record, to)));

/** The parents that rows name as `stream/id`, as in the source; rows without one are skipped. */
export const parentsNamed = (
  texts: readonly (string | null)[],
): readonly { readonly stream: string; readonly id: string }[] =>
  texts.flatMap((text) => {
    const split = text?.indexOf("/") ?? -1;
    return text === null || split < 0 ? [] : [{ stream: text.slice(0, split), id: text.slice(split + 1) }];
  });

/** The parent in the destination, for `find`: some tools find nothing without it. */
export const parentIn = (
  stream: FamilyStream<FamilyRecord>,
  record: FamilyRecord | null | undefined,
): Pick<FindQuery, "parentId" | "parentStream"> => {
  const parent = record && referencesOf(stream, record).find(({ field }) => field === stream.parent);
  return parent ? { parentId: parent.id, parentStream: parent.stream } : {};
};

/** The same for a parent that is known by its name in the source and its id in the destination. */
export const parentCopied = (
  named: string | null,
  destId: string | null | undefined,
): Pick<FindQuery, "parentId" | "parentStream"> => {
  const [parent] = parentsNamed([named]);
  return parent && destId ? { parentId: destId, parentStream: parent.stream } : {};
};
