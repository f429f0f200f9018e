import { ConnectorError, type FamilyRecord, type FamilyStream } from "@portage/connector-kit";
import type { RowFault, TableRow } from "./csv-rows.ts";
import type { ColumnChoice, FileChoice } from "./settings.ts";
import { customPrefix, type Target, targetsOf } from "./targets.ts";
import { convertCell, type Problem } from "./values/convert.ts";

/** Why a row can't be used; its message says what to do. */
export interface RowProblem {
  readonly kind: "unreadable";
  readonly row: number;
  /** From 0; null: the whole row. */
  readonly column: number | null;
  /** Null: it has none that could be an id. */
  readonly key: string | null;
  readonly code: string;
  readonly message: string;
}

export type Made =
  | { readonly kind: "record"; readonly record: FamilyRecord }
  | RowProblem
  | { readonly kind: "blank" };

export interface RecordMaker {
  /** Null: rows are identified by their position. */
  readonly keyColumn: number | null;
  /** The key of a row; null: the row has none. */
  idOf(row: TableRow): string | null;
  make(row: TableRow, width: number): Made;
}

interface Filled {
  readonly choice: ColumnChoice;
  readonly target: Target;
}

const customTarget = (choice: ColumnChoice): Target => ({
  path: choice.field,
  kind: choice.as ?? "text",
  required: false,
  about: choice.header,
  options: [],
  to: [],
});

const constantTarget = (field: string): ColumnChoice => ({ column: 0, header: field, field });

const faults: Readonly<Record<RowFault, string>> = {
  open_quote:
    "has a quotation mark that is never closed. Close it, or double it if it is part of the text; the row was skipped.",
  too_long: "is longer than 8 MB. Shorten it, or check for a quotation mark that is never closed.",
};

/** As long as an id of a record may be. */
const maxKey = 512;

const isBlank = (cell: string | undefined) => cell === undefined || cell.trim() === "";

/** Paths have one dot at most, but the key of a custom field can have more. */
const assign = (record: Record<string, unknown>, path: string, value: unknown, joined: boolean): void => {
  const dot = path.indexOf(".");
  const [holder, name] =
    dot < 0 ? [record, path] : [(record[path.slice(0, dot)] ??= {}) as typeof record, path.slice(dot + 1)];
  const before = Object.hasOwn(holder, name) ? holder[name] : undefined;
  const next = () => {
    if (before === undefined) return value;
    if (Array.isArray(before) && Array.isArray(value)) return [...new Set([...before, ...value])];
    return joined ? [before, value].join(" ") : before;
  };
  if (name !== "__proto__") holder[name] = next();
  // A header can have such a name.
  else
    Object.defineProperty(holder, name, {
      value: next(),
      enumerable: true,
      writable: true,
      configurable: true,
    });
};

/** A choice without a matching field is an error in the stored settings; this reports it before the first row. */
const filledOf = (
  stream: FamilyStream,
  choice: ColumnChoice,
  targets: ReadonlyMap<string, Target>,
): Filled => {
  const target =
    targets.get(choice.field) ?? (choice.field.startsWith(customPrefix) ? customTarget(choice) : undefined);
  if (!target)
    throw new ConnectorError({
      recovery: "abort",
      code: "unknown_field",
      message: `${stream.label} have no field “${choice.field}”. Choose another one for the column “${choice.header}”.`,
      setting: "files",
    });
  return { choice, target };
};

/** Turns rows into the family's records by the chosen columns. */
export const createRecordMaker = (stream: FamilyStream, file: FileChoice, timeZone: string): RecordMaker => {
  const targets = new Map(targetsOf(stream).map((target) => [target.path, target]));
  const columns = file.columns.map((choice) => filledOf(stream, choice, targets));
  const keys = columns.filter(({ target }) => target.kind === "id");
  const people = new Set(
    [...targets.values()].filter(({ path }) => path.endsWith(".email")).map(({ path }) => path.slice(0, -6)),
  );
  const toOf = new Map(
    columns
      .filter(({ target }) => target.path.endsWith(".id"))
      .map(({ choice, target }) => [target.path, choice.to ?? target.to[0] ?? null]),
  );
  const required = [...targets.values()].filter((target) => target.required);
  const constants = Object.entries(file.constants).map(([field, value]) => ({
    ...filledOf(stream, constantTarget(field), targets),
    value,
  }));

  const idOf = ({ cells }: TableRow): string | null => {
    const parts = keys.map(({ choice }) => cells[choice.column]?.trim() ?? "");
    return parts.length === 0 || parts.some((part) => part === "") ? null : parts.join(":");
  };

  const finish = (record: Record<string, unknown>): void => {
    for (const name of people) {
      const who = record[name] as Record<string, unknown> | undefined;
      if (who) record[name] = { ...who, stream: who.id === undefined ? null : toOf.get(`${name}.id`) };
    }
  };

  const make: RecordMaker["make"] = (row, width) => {
    const { cells } = row;
    const rowNumber = row.row;
    const key = row.fault ? null : idOf(row);
    const reject = (code: string, message: string, column: number | null = null): Made => ({
      kind: "unreadable",
      row: rowNumber,
      column,
      key: key !== null && key.length <= maxKey ? key : null,
      code,
      message,
    });
    if (row.fault) return reject(row.fault, `Row ${rowNumber} ${faults[row.fault]}`);
    if (cells.every(isBlank)) return { kind: "blank" };
    const at = ({ choice }: Filled, { code, why }: Problem) =>
      reject(
        code,
        `Row ${rowNumber}, column “${choice.header || choice.column + 1}”: the cell ${why}`,
        choice.column,
      );
    if (cells.slice(width).some((cell) => !isBlank(cell)))
      return reject(
        "too_many_cells",
        `Row ${rowNumber} has ${cells.length} cells, but the table has ${width} columns. Put texts that hold the separator or a line break in quotation marks.`,
      );
    const noKey = keys.find(({ choice }) => isBlank(cells[choice.column]));
    if (noKey)
      return at(noKey, {
        code: "no_key",
        why: "is empty, but it is the key. Fill it in, or choose another key column.",
      });
    const record: Record<string, unknown> = {};
    for (const filled of columns) {
      const { choice, target } = filled;
      const cell = cells[choice.column];
      if (target.kind === "id" || cell === undefined || isBlank(cell)) continue;
      const converted = convertCell(cell, choice, target, timeZone);
      if ("problem" in converted) return at(filled, converted.problem);
      assign(record, target.path, converted.value, target.path === "name");
    }
    for (const filled of constants) {
      if (filled.target.path in record) continue;
      const converted = convertCell(filled.value, filled.choice, filled.target, timeZone);
      if ("problem" in converted) return at(filled, converted.problem);
      assign(record, filled.target.path, converted.value, false);
    }
    // Missing stages become an empty list.
    for (const { path, kind } of required) if (kind === "stages") record[path] ??= [];
    const missing = required.find(({ path }) => record[path] === undefined);
    if (missing) {
      const filled = columns.find(({ target }) => target.path === missing.path);
      return filled
        ? at(filled, {
            code: "required_empty",
            why: `is empty, but ${stream.label.toLowerCase()} need it (${missing.path}). Fill it in.`,
          })
        : reject(
            "required_missing",
            `Row ${rowNumber}: no column is chosen for “${missing.path}”, which ${stream.label.toLowerCase()} need. Choose one, or give one value for all rows.`,
          );
    }
    finish(record);
    try {
      return { kind: "record", record: stream.make({ ...record, id: key ?? `row-${rowNumber}` }) };
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return reject(error.code, `Row ${rowNumber}: ${error.message} Correct the row.`);
    }
  };
  return { keyColumn: keys[0]?.choice.column ?? null, idOf, make };
};
