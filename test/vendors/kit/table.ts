import { createHash } from "node:crypto";
import type { VendorClock } from "./clock.ts";

export interface Row<T> {
  readonly id: number;
  readonly createdAt: number;
  /** What people change. */
  readonly updatedAt: number;
  /** What the vendor's own machinery changes as well. */
  readonly touchedAt: number;
  readonly deletedAt: number | null;
  readonly archived: boolean;
  /** Made through the API, not by the seed. */
  readonly written: boolean;
  readonly data: T;
}

export interface NewRow<T> {
  readonly data: T;
  readonly id?: number;
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly touchedAt?: number;
  readonly deletedAt?: number | null;
  readonly archived?: boolean;
  readonly written?: boolean;
}

/** One table of a vendor, with what its search index showed some time ago. */
export const createTable = <T extends object>(clock: VendorClock, firstId: number) => {
  const rows = new Map<number, Row<T>>();
  /** Earlier states of rows, for an index that lags; null: the row was not there. */
  const earlier = new Map<number, { readonly until: number; readonly row: Row<T> | null }[]>();
  let lastId = firstId - 1;
  const put = (id: number, row: Row<T> | null) => {
    const states = earlier.get(id) ?? [];
    states.push({ until: clock.now(), row: rows.get(id) ?? null });
    earlier.set(id, states.slice(-8));
    if (row) rows.set(id, row);
    else rows.delete(id);
  };
  const change = (id: number, changed: Partial<Row<T>>): Row<T> => {
    const known = rows.get(id);
    if (!known) throw new Error(`The table has no row ${id}.`);
    const row = { ...known, touchedAt: clock.now(), ...changed };
    put(id, row);
    return row;
  };
  const all = () => [...rows.values()];
  return {
    insert: (given: NewRow<T>): Row<T> => {
      const id = given.id ?? lastId + 1;
      lastId = Math.max(lastId, id);
      const createdAt = given.createdAt ?? clock.now();
      const updatedAt = given.updatedAt ?? createdAt;
      const row: Row<T> = {
        id,
        createdAt,
        updatedAt,
        touchedAt: given.touchedAt ?? (given.written ? clock.now() : updatedAt),
        deletedAt: given.deletedAt ?? null,
        archived: given.archived ?? false,
        written: given.written ?? false,
        data: given.data,
      };
      put(id, row);
      return row;
    },
    get: (id: number) => rows.get(id),
    /** Not deleted; archived ones too. */
    live: () => all().filter(({ deletedAt }) => deletedAt === null),
    all,
    /** A change that people see. */
    update: (id: number, data: Partial<T>, updatedAt = clock.now()) => {
      const known = rows.get(id);
      return change(id, { data: { ...(known?.data as T), ...data }, updatedAt });
    },
    /** A change of the vendor's own machinery: `updatedAt` stays. */
    touch: (id: number) => change(id, {}),
    archive: (id: number) => change(id, { archived: true }),
    remove: (id: number) => change(id, { deletedAt: clock.now(), updatedAt: clock.now() }),
    restore: (id: number) => change(id, { deletedAt: null, updatedAt: clock.now() }),
    /** For good. */
    purge: (id: number) => put(id, null),
    /** The live rows as an index shows them that is `lagMs` behind. */
    indexed: (lagMs: number): readonly Row<T>[] => {
      const seenAt = clock.now() - lagMs;
      const ids = new Set([...rows.keys(), ...earlier.keys()]);
      return [...ids].flatMap((id) => {
        const past = earlier.get(id)?.find(({ until }) => until > seenAt);
        const row = past ? past.row : rows.get(id);
        return row && row.deletedAt === null ? row : [];
      });
    },
    /** From now on the index shows what is there: how a vendor starts. */
    settleIndex: () => earlier.clear(),
  };
};

export type Table<T extends object> = ReturnType<typeof createTable<T>>;

export interface Listed<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

/** Page 1 is the first. A row that moves between two calls is missed or seen twice, as with the vendor. */
export const pageOf = <T>(rows: readonly T[], page: number, size: number): Listed<T> => ({
  rows: rows.slice((page - 1) * size, page * size),
  more: page * size < rows.length,
});

/** Where a listing by time goes on: behind this moment and, within it, behind this id. */
export interface TimePosition {
  readonly at: number;
  readonly id: number;
}

export const writeCursor = ({ at, id }: TimePosition): string =>
  Buffer.from(`${at}|${id}`).toString("base64");

export const readCursor = (text: string): TimePosition | null => {
  const [at, id] = Buffer.from(text, "base64").toString().split("|").map(Number);
  return at === undefined || id === undefined || !Number.isFinite(at) || !Number.isFinite(id)
    ? null
    : { at, id };
};

/** Rows in the order of a moment, then of their id, behind a position. */
export const rowsAfter = <T extends { readonly id: number }>(
  rows: readonly T[],
  moment: (row: T) => number,
  after: TimePosition,
): readonly T[] =>
  rows
    .filter((row) => moment(row) > after.at || (moment(row) === after.at && row.id > after.id))
    .toSorted((a, b) => moment(a) - moment(b) || a.id - b.id);

/** The live rows of a table, as one object each. */
export const dumpRows = <T extends object>(table: Table<T>): readonly Readonly<Record<string, unknown>>[] =>
  table
    .live()
    .map(({ id, createdAt, updatedAt, archived, data }) => ({ id, createdAt, updatedAt, archived, ...data }));

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, each]) => [name, canonical(each)]));
};

/** One value for all contents of a vendor, whatever the order of rows and fields. */
export const digestOf = (contents: Readonly<Record<string, readonly unknown[]>>): string => {
  const hash = createHash("sha256");
  for (const name of Object.keys(contents).toSorted())
    hash.update(
      JSON.stringify([name, (contents[name] ?? []).map((row) => JSON.stringify(canonical(row))).toSorted()]),
    );
  return hash.digest("hex");
};
