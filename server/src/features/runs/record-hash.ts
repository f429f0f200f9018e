import { hash } from "node:crypto";
import type { DestinationStream, FamilyRecord } from "@portage/connector-kit";

/**
 * The same content gives the same text, whatever the order in which a tool named its fields. An object becomes the list
 * of its sorted fields behind `{}`, which no list of a record starts with; the rest is left to the runtime's own JSON.
 */
const inOrder = (value: unknown, without: readonly string[]): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => inOrder(each, []));
  const fields = value as Readonly<Record<string, unknown>>;
  const list: unknown[] = [{}];
  for (const name of Object.keys(fields).toSorted())
    if (fields[name] !== undefined && !without.includes(name)) list.push(name, inOrder(fields[name], []));
  return list;
};

const bytes = 16;
const digest = (record: FamilyRecord, without: readonly string[]) =>
  hash("sha256", JSON.stringify(inOrder(record, without)), "buffer").subarray(0, bytes);

/** Whether the record at the source is still the one that was copied. */
export const sourceHash = (record: FamilyRecord): Buffer => digest(record, []);

/**
 * Whether a person has edited the copy. Its id says nothing, and `updatedAt` also moves when something is added
 * beside it: a comment of ours, a link. What else moves by itself is for the connector to say.
 */
export const destinationHash = (
  record: FamilyRecord,
  { unsteady = [] }: Pick<DestinationStream, "unsteady">,
): Buffer => digest(record, ["id", "updatedAt", ...unsteady]);
