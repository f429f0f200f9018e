import { type FamilyRecord, type FamilyStream, familyStreams, referencesOf } from "@portage/connector-kit";
import type { StandInOptions } from "./options.ts";
import { createRowMaker } from "./row-patterns.ts";
import { signRecord } from "./sign-record.ts";

export interface Filter {
  readonly since: string | null;
  readonly parentId: string | null;
}

export const everything: Filter = { since: null, parentId: null };

export interface SourceRows {
  readonly stream: FamilyStream;
  /** In the order of ids; `after` is an id, 0 for the first. */
  after(after: number, size: number, keep: (record: FamilyRecord) => boolean): readonly FamilyRecord[];
  find(id: string): FamilyRecord | null;
  /** The same by number alone, if the caller does not need the records. */
  numbersAfter(after: number, size: number, filter: Filter): readonly number[];
  numbersFrom(offset: number, size: number): readonly number[];
  has(number: number): boolean;
  record(number: number): FamilyRecord | null;
  json(number: number): string;
  /** The pattern that the row was made from, whatever its later changes; null for rows without a pattern. */
  pattern(number: number): FamilyRecord | null;
  count(): number;
  /** No row has a greater number. */
  last(): number;
  update(id: string, change: Partial<FamilyRecord>): void;
  remove(id: string): void;
  /** `lateMs`: the row gets its number at once and appears later, like a transaction that commits late. */
  add(record: FamilyRecord, lateMs?: number): string;
  /** When a row became visible; 0 for those that were there from the start. */
  seenSince(number: number): number;
}

/** The missing numbers, so that the n-th existing row can be found without counting. */
const createAbsent = () => {
  const absent = new Set<number>();
  let sorted: readonly number[] | null = null;
  const inOrder = () => (sorted ??= [...absent].toSorted((a, b) => a - b));
  return {
    has: (number: number) => absent.has(number),
    size: () => absent.size,
    add(number: number) {
      absent.add(number);
      sorted = null;
    },
    delete(number: number) {
      absent.delete(number);
      sorted = null;
    },
    /** The number of the row with `offset` rows before it. */
    skip(offset: number) {
      const gone = inOrder();
      let low = 0;
      let high = gone.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((gone[middle] ?? 0) - middle - 1 <= offset) low = middle + 1;
        else high = middle;
      }
      return offset + low;
    },
  };
};

/** A stream's rows: computed from seed and index; only changes are stored. */
const rowsOf = (stream: FamilyStream, options: StandInOptions): SourceRows => {
  const base = options.counts[stream.name] ?? 0;
  const made = createRowMaker(stream, options);
  const changed = new Map<number, FamilyRecord>();
  const seen = new Map<number, number>();
  const absent = createAbsent();
  /** Rows with a number that are not visible yet. */
  const late = new Set<number>();
  let end = base;
  const isThere = (number: number) => number >= 1 && number <= end && !absent.has(number);
  const original = (number: number) => (number >= 1 && number <= base ? made.record(number) : null);
  const isSigned = options.signed && !options.lean && stream.kind === "record";
  const record = (number: number) => {
    const row = isThere(number) ? (changed.get(number) ?? original(number)) : null;
    return row && isSigned ? signRecord(stream.name, row) : row;
  };
  // Without patterns, some rows can't be made.
  const has = (number: number) => (options.lean ? isThere(number) : record(number) !== null);
  const belongsTo = (row: FamilyRecord, parentId: string) =>
    referencesOf(stream, row).some((to) => to.field === stream.parent && to.id === parentId);
  /** The numbers of each parent's rows, made on first use: a list by parent would else look at every row. */
  let byParent: Map<string, number[]> | null = null;
  const numbersOf = (parentId: string): readonly number[] => {
    if (byParent === null) {
      byParent = new Map();
      for (let number = 1; number <= end; number += 1) {
        const row = record(number);
        for (const to of row ? referencesOf(stream, row) : [])
          if (to.field === stream.parent) byParent.set(to.id, [...(byParent.get(to.id) ?? []), number]);
      }
    }
    return byParent.get(parentId) ?? [];
  };
  const passes = (number: number, { since, parentId }: Filter) => {
    if (since === null && parentId === null) return has(number);
    const row = record(number);
    return (
      row !== null &&
      (since === null || (row.updatedAt ?? "") >= since) &&
      (parentId === null || belongsTo(row, parentId))
    );
  };
  const numbersAfter = (start: number, size: number, filter: Filter): readonly number[] => {
    const found: number[] = [];
    // If only changed rows are new enough, the millions of unchanged rows need no scan.
    if (filter.since !== null && made.newest !== null && filter.since > made.newest) {
      const numbers = [...changed.keys()].filter((number) => number > start && passes(number, filter));
      return numbers.toSorted((a, b) => a - b).slice(0, size);
    }
    if (filter.parentId !== null)
      return numbersOf(filter.parentId)
        .filter((number) => number > start && passes(number, filter))
        .slice(0, size);
    for (let number = start + 1; number <= end && found.length < size; number += 1)
      if (passes(number, filter)) found.push(number);
    return found;
  };
  return {
    stream,
    after(start, size, keep) {
      const rows: FamilyRecord[] = [];
      for (let number = start + 1; number <= end && rows.length < size; number += 1) {
        const row = record(number);
        if (row && keep(row)) rows.push(row);
      }
      return rows;
    },
    find: (id) => record(Number(id)),
    numbersAfter,
    numbersFrom: (offset, size) => numbersAfter(absent.skip(offset), size, everything),
    has,
    record,
    json: (number) => {
      const own = isSigned ? record(number) : changed.get(number);
      return (own ? JSON.stringify(own) : made.json(number)) ?? "null";
    },
    pattern: (number) => (number >= 1 && number <= base ? made.pattern(number) : null),
    count: () => end - absent.size(),
    last: () => end,
    update(id, change) {
      byParent = null;
      const row = record(Number(id));
      if (row) changed.set(Number(id), { ...row, updatedAt: new Date().toISOString(), ...change });
    },
    remove(id) {
      if (!late.delete(Number(id)) && record(Number(id))) absent.add(Number(id));
    },
    add(row, lateMs = 0) {
      byParent = null;
      end += 1;
      const number = end;
      const show = () => {
        if (lateMs > 0 && !late.delete(number)) return;
        absent.delete(number);
        seen.set(number, Date.now());
      };
      changed.set(number, { ...row, id: String(number) });
      if (lateMs > 0) {
        absent.add(number);
        late.add(number);
        seen.set(number, Number.POSITIVE_INFINITY);
        setTimeout(show, lateMs).unref();
      } else show();
      return String(number);
    },
    seenSince: (number) => seen.get(number) ?? 0,
  };
};

export const createSourceRows = (options: StandInOptions): ReadonlyMap<string, SourceRows> =>
  new Map(familyStreams[options.family].map((stream) => [stream.name, rowsOf(stream, options)]));
