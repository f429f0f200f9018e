import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { streamLosses } from "./added-fields.ts";
import type { DestinationStream, FieldChange } from "./destination.ts";
import { isRichText, isWho } from "./families/record-parts.ts";
import type { FamilyRecord, FamilyStream } from "./families/stream.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a copy that may differ from its record, by path: declared before the copy was read, never found by comparing.
 * The value is the digest of what the copy has instead; null: anything.
 */
export type Declared = Readonly<Record<string, string | null>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** Two people of the old tool may be one account of the new one. */
const asSet = (value: readonly unknown[]) =>
  [...new Set(value.map((each) => JSON.stringify(each)))].toSorted();

/**
 * What two values must have in common to be the same. An account may have another name and address and still be the same
 * person. A text's references are read out of the text itself. Labels and references are sets, though a tool shows them in
 * some order.
 */
const essence = (stream: Pick<FamilyStream, "relations">, field: string, value: unknown): unknown => {
  if (value === undefined) return null;
  if (Array.isArray(value)) return field === "tags" || field in stream.relations ? asSet(value) : value;
  if (isRichText(value)) return { format: value.format, text: value.text };
  if (isWho(value) && value.id !== null) return { stream: value.stream, id: value.id };
  return value;
};

const customPath = "customFields.";

const valueAt = (record: FamilyRecord, path: string): unknown => {
  if (path.startsWith(customPath)) return record.customFields[path.slice(customPath.length)];
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      record,
    );
};

const digestOf = (stream: Pick<FamilyStream, "relations">, field: string, value: unknown): string =>
  hash("sha256", JSON.stringify(essence(stream, field, value)), "hex").slice(0, 32);

/** What a destination declared about one record, in the form in which it is stored. */
export const declaredBy = (
  stream: Pick<FamilyStream, "relations">,
  changes: readonly FieldChange[],
): Declared =>
  Object.fromEntries(
    changes.map((change) => [
      change.field,
      "becomes" in change ? digestOf(stream, change.field, change.becomes) : null,
    ]),
  );

/** What a destination declares about all records of a stream: what it drops, what moves by itself, what it does not promise. */
export const declaredOf = (
  to: Pick<DestinationStream, "stream" | "drops" | "addedFields" | "guarantees" | "volatileFields">,
): Declared => {
  const { guarantees, volatileFields = [] } = to;
  const unpromised = [
    ...(guarantees.includes("backdates") ? [] : ["createdAt"]),
    ...(guarantees.includes("keeps-author") ? [] : ["author"]),
  ];
  // A tool has its own ids, and moves `updatedAt` when it writes something beside the record.
  const fields = [
    "id",
    "updatedAt",
    ...unpromised,
    ...volatileFields,
    ...streamLosses(to).map(({ field }) => field),
  ];
  return Object.fromEntries(fields.map((field) => [field, null]));
};

/** Both: a field that may be anything in the whole stream, such as one that later writes change, stays so for each record. */
export const declaredTogether = (ofStream: Declared, ofRecord: Declared | null): Declared =>
  ofRecord === null ? ofStream : { ...ofRecord, ...ofStream };

/** The new tool sets a date and an author of its own where the old one has none. */
const setByTool = new Set(["createdAt", "author"]);

/** The fields in which a copy differs from its record without a declaration; custom fields by their path. */
export const differingFields = (
  stream: Pick<FamilyStream, "relations">,
  wanted: FamilyRecord,
  got: FamilyRecord,
  declared: Declared,
): readonly string[] => {
  /** Undefined: nothing is declared for it. */
  const isAsDeclared = (path: string): boolean | undefined => {
    if (!Object.hasOwn(declared, path)) return undefined;
    const digest = declared[path];
    return digest === null || digest === digestOf(stream, path, valueAt(got, path));
  };
  const isSame = (field: string, a: unknown, b: unknown): boolean => {
    if (a === b && typeof a !== "object") return true;
    const mine = essence(stream, field, a);
    const theirs = essence(stream, field, b);
    if (!isObject(mine) || !isObject(theirs)) return isDeepStrictEqual(mine, theirs);
    return Object.keys(mine).every(
      (name) => isAsDeclared(`${field}.${name}`) ?? isDeepStrictEqual(mine[name], theirs[name]),
    );
  };
  const own = Object.entries(wanted).flatMap(([field, value]) => {
    if (field === "customFields" || (value === null && setByTool.has(field))) return [];
    return (isAsDeclared(field) ?? isSame(field, value, valueAt(got, field))) ? [] : [field];
  });
  if (isAsDeclared("customFields")) return own;
  const custom = Object.entries(wanted.customFields).flatMap(([key, value]) => {
    const path = `${customPath}${key}`;
    const theirs = valueAt(got, path);
    const isKept = (isEmpty(value) && isEmpty(theirs)) || isDeepStrictEqual(value, theirs);
    return (isAsDeclared(path) ?? isKept) ? [] : [path];
  });
  return [...own, ...custom];
};

/** Why a tool can't hold a field as it is, by field; `customFields` stands for all of them. */
export type Reasons = Readonly<Record<string, string>>;

const kindOf = (wanted: unknown, sent: unknown): FieldChange["change"] => {
  if (isEmpty(sent) || (isObject(sent) && isWho(sent) && sent.id === null)) return "cleared";
  return typeof wanted === "string" && typeof sent === "string" && wanted.startsWith(sent)
    ? "truncated"
    : "converted";
};

/**
 * What a record loses on its way to a tool: compares it with what is sent, in the form in which the tool would return it. The
 * tool's answer is no part of this: a field that it takes and does not keep is a fault, and stays undeclared, and so does one
 * without a reason.
 */
export const changesOnTheWay = <T extends FamilyRecord>(
  stream: Pick<FamilyStream, "relations">,
  wanted: T,
  sent: T,
  reasons: Reasons,
): readonly FieldChange[] =>
  differingFields(stream, wanted, sent, {}).flatMap((field): FieldChange[] => {
    const why = reasons[field.startsWith(customPath) ? "customFields" : field];
    const becomes = valueAt(sent, field) ?? null;
    return why === undefined
      ? []
      : [{ field, change: kindOf(valueAt(wanted, field), becomes), why, becomes }];
  });
