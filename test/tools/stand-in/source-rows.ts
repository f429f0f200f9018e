import { type FamilyRecord, type FamilyStream, familyStreams, referencesOf } from "@portage/connector-kit";
import { sampleRecords } from "@portage/connector-kit/conformance";
import type { StandInOptions } from "./options.ts";

export interface SourceRows {
  /** In the order of ids; `after` is an id, 0 for the first. */
  after(after: number, size: number, keep: (record: FamilyRecord) => boolean): readonly FamilyRecord[];
  slice(offset: number, size: number): readonly FamilyRecord[];
  find(id: string): FamilyRecord | null;
  count(): number;
  update(id: string, change: Partial<FamilyRecord>): void;
  remove(id: string): void;
  add(record: FamilyRecord): void;
  /** For filtering by parent: whether a record belongs to it. */
  belongsTo(record: FamilyRecord, parentId: string): boolean;
}

/** A stream's rows: computed from seed and index, with only the changes held. */
const rowsOf = (stream: FamilyStream, options: StandInOptions): SourceRows => {
  const base = options.counts[stream.name] ?? 0;
  const { at } = sampleRecords(stream, options);
  const changed = new Map<number, FamilyRecord>();
  const removed = new Set<number>();
  let end = base;
  const find = (number: number): FamilyRecord | null => {
    if (number < 1 || number > end || removed.has(number)) return null;
    const record = changed.get(number) ?? at(number - 1);
    return record && stream.kind === "file"
      ? ({ ...record, size: options.fileBytes } as FamilyRecord)
      : record;
  };
  const after: SourceRows["after"] = (start, size, keep) => {
    const rows: FamilyRecord[] = [];
    for (let number = start + 1; number <= end && rows.length < size; number += 1) {
      const record = find(number);
      if (record && keep(record)) rows.push(record);
    }
    return rows;
  };
  return {
    after,
    // Steps over the removed only: offsets into ten million rows must not be counted out one by one.
    slice(offset, size) {
      let number = offset;
      for (const gone of [...removed].toSorted((a, b) => a - b)) if (gone <= number + 1) number += 1;
      return after(number, size, () => true);
    },
    find: (id) => find(Number(id)),
    count: () => end - removed.size,
    update(id, change) {
      const record = find(Number(id));
      if (record) changed.set(Number(id), { ...record, updatedAt: new Date().toISOString(), ...change });
    },
    remove(id) {
      if (find(Number(id))) removed.add(Number(id));
    },
    add(record) {
      end += 1;
      changed.set(end, { ...record, id: String(end) });
    },
    belongsTo: (record, parentId) =>
      referencesOf(stream, record).some((to) => to.field === stream.parent && to.id === parentId),
  };
};

export const createSourceRows = (options: StandInOptions): ReadonlyMap<string, SourceRows> =>
  new Map(familyStreams[options.family].map((stream) => [stream.name, rowsOf(stream, options)]));
