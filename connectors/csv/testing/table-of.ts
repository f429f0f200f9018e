import type { FamilyRecord, FamilyStream } from "@portage/connector-kit";
import type { ColumnChoice, FileChoice } from "../settings.ts";
import { type Target, targetsOf } from "../targets.ts";

type Fields = Record<string, unknown>;

export interface WrittenTable {
  readonly rows: readonly (readonly string[])[];
  readonly columns: readonly ColumnChoice[];
  /** The records as a table can represent them. */
  readonly records: readonly FamilyRecord[];
}

const joined = (values: unknown) => (values as readonly string[]).join("\n");

const cellOf = ({ kind, path }: Target, record: Fields): string => {
  const [field = "", part] = path.split(".");
  const holder = record[field];
  const value = part === undefined ? holder : (holder as Fields | null)?.[part];
  if (value === null || value === undefined) return "";
  if (kind === "rich") return (value as { text: string }).text;
  if (kind === "texts" || kind === "refs") return joined(value);
  if (kind === "pointer") return (value as { id: string }).id;
  if (kind === "pointers") return joined((value as { id: string }[]).map(({ id }) => id));
  if (kind === "stages") return joined((value as { name: string }[]).map(({ name }) => name));
  return typeof value === "string" ? value : JSON.stringify(value);
};

const tidy = (texts: unknown) => [...new Set((texts as string[]).map((each) => each.trim()))];

/** A column has one format and points to one stream, and a table can't distinguish empty from missing. */
const asTableHolds = (stream: FamilyStream, record: FamilyRecord): Fields => {
  const targets = targetsOf(stream);
  // No cell holds a list of objects.
  const known = new Set(targets.map(({ path }) => path.split(".")[0]));
  const held: Fields = Object.fromEntries(Object.entries(record).filter(([field]) => known.has(field)));
  for (const { path, kind, to } of targets) {
    const [field = "", part] = path.split(".");
    const value = held[field];
    const [target = null] = to;
    if (kind === "rich" && value)
      held[field] = { format: "plain", text: (value as { text: string }).text, references: [] };
    if (kind === "decimal" && value) held[field] = "-1234.50";
    if (kind === "texts" && part === undefined) held[field] = tidy(value);
    if (kind === "pointer" && value) held[field] = { stream: target, id: (value as { id: string }).id };
    if (kind === "pointers")
      held[field] = [...new Set((value as { id: string }[]).map(({ id }) => id))].map((id) => ({
        stream: target,
        id,
      }));
    if (kind === "stages")
      held[field] = (value as { name: string }[]).map(({ name }) => ({
        id: name.trim(),
        name: name.trim(),
        kind: "open",
        probability: null,
      }));
    if (part === "id" && value)
      held[field] = { ...value, stream: (value as { id: unknown }).id === null ? null : target };
    if (part === "city" && value && Object.values(value).every((each) => each === null)) held[field] = null;
  }
  return { ...stream.schema.parse(held) };
};

/** A table that holds the given records, and the choices for its columns. */
export const tableOf = (stream: FamilyStream, records: readonly FamilyRecord[]): WrittenTable => {
  const targets = targetsOf(stream);
  const held = records.map((record) => asTableHolds(stream, record));
  const columns = targets.map(
    (target, column): ColumnChoice => ({
      column,
      header: target.path,
      field: target.path,
      ...(["texts", "refs", "pointers", "stages"].includes(target.kind) ? { separator: "\n" as const } : {}),
    }),
  );
  return {
    columns,
    rows: [
      targets.map(({ path }) => path),
      ...held.map((record) => targets.map((target) => cellOf(target, record))),
    ],
    records: held as unknown as FamilyRecord[],
  };
};

export const choiceOf = (file: string, columns: readonly ColumnChoice[]): FileChoice => ({
  file,
  dialect: {},
  columns: [...columns],
  constants: {},
});
