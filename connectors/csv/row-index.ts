import { LRUCache } from "lru-cache";
import type { StoredFile } from "./file-store.ts";
import { csvRows, type TableRow } from "./csv-rows.ts";
import type { FileChoice } from "./settings.ts";
import type { Opened } from "./open-table.ts";
import { rowsFrom } from "./table.ts";
import type { RecordMaker } from "./to-record.ts";
import { createTextSpool, type TextSpool } from "./xlsx/text-spool.ts";

/** Where the rows of a table are, by their keys: without it, each lookup would read the file from its start. */
export interface RowIndex {
  /** The number of columns. */
  readonly width: number;
  /** The rows with these keys, and maybe others. */
  read(file: StoredFile, ids: readonly string[]): AsyncGenerator<readonly TableRow[]>;
  /** Of these keys those that a row before this one has, with that row. A row without a record has no key. */
  findBefore(
    file: StoredFile,
    ids: readonly string[],
    before: number,
    keyOf: (row: TableRow) => string | null,
  ): Promise<ReadonlyMap<string, number>>;
  close(): void;
}

/** 20 bytes each, and the cells of an Excel sheet, which has no more, in a temporary file. A larger table is read from its start. */
const maxRows = 1_048_576;

/** FNV-1a: candidates only; the caller compares the keys. */
const hashOf = (id: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
};

interface Entry {
  readonly entry: number;
  /** The offset of the row. */
  readonly start: number;
  readonly row: number;
}

const longer = <A extends Uint32Array | Float64Array>(from: A, to: A): A => {
  to.set(from);
  return to;
};

/** The rows of a table by the hashes of their keys. */
export const createEntries = () => {
  let hashes = new Uint32Array(1024);
  let starts = new Float64Array(1024);
  let rows = new Uint32Array(1024);
  /** Of each bucket the number of its first entry, of each entry that of the next in its bucket; 0: none. */
  let first = new Uint32Array(1);
  let next = new Uint32Array(0);
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(id: string, start: number, row: number) {
      if (count === hashes.length) {
        hashes = longer(hashes, new Uint32Array(count * 2));
        starts = longer(starts, new Float64Array(count * 2));
        rows = longer(rows, new Uint32Array(count * 2));
      }
      hashes[count] = hashOf(id);
      starts[count] = start;
      rows[count] = row;
      count += 1;
    },
    /**
     * Builds the buckets, in the file's order: each entry costs the same, also in a table that repeats one key a million times.
     */
    seal() {
      first = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, count))));
      next = new Uint32Array(count);
      for (let entry = count - 1; entry >= 0; entry -= 1) {
        const bucket = (hashes[entry] ?? 0) & (first.length - 1);
        next[entry] = first[bucket] ?? 0;
        first[bucket] = entry + 1;
      }
    },
    /** The first row with the hash of this key, or the first one after another. */
    nextOf(id: string, after?: Entry): Entry | undefined {
      const hash = hashOf(id);
      let number = after ? next[after.entry] : first[hash & (first.length - 1)];
      while (number && hashes[number - 1] !== hash) number = next[number - 1];
      return number
        ? { entry: number - 1, start: starts[number - 1] ?? 0, row: rows[number - 1] ?? 0 }
        : undefined;
    },
    /** The rows with the hashes of these keys, each once, in the file's order. */
    *find(ids: readonly string[]): Generator<Entry> {
      const found = new Set<number>();
      // A hash is looked up once, however many keys have it.
      for (const hash of new Set(ids.map(hashOf)))
        for (let number = first[hash & (first.length - 1)] ?? 0; number !== 0; number = next[number - 1] ?? 0)
          if (hashes[number - 1] === hash) found.add(number - 1);
      for (const entry of Uint32Array.from(found).toSorted())
        yield { entry, start: starts[entry] ?? 0, row: rows[entry] ?? 0 };
    },
  };
};

type Entries = ReturnType<typeof createEntries>;

async function* readRows(
  { place }: Opened,
  file: StoredFile,
  wanted: Iterable<Entry>,
  spool: TextSpool | null,
): AsyncGenerator<readonly TableRow[]> {
  if (spool) {
    for (const { entry, row } of wanted)
      yield [{ row, cells: JSON.parse(spool.get(entry)) as string[], end: 0, fault: null }];
    return;
  }
  if (place.format !== "csv") return;
  let readTo = 0;
  for (const { start, row } of wanted) {
    // Rows close to each other come in one window.
    if (start < readTo) continue;
    for await (const rows of csvRows(file, place, { offset: start, row })) {
      readTo = rows.at(-1)?.end ?? start;
      yield rows;
      break;
    }
  }
}

const indexOf = (opened: Opened, entries: Entries, spool: TextSpool | null): RowIndex => {
  let readers = 0;
  let isClosed = false;
  const closeIfUnused = () => {
    if (isClosed && readers === 0) spool?.close();
  };
  async function* read(file: StoredFile, wanted: Iterable<Entry>) {
    readers += 1;
    try {
      yield* readRows(opened, file, wanted, spool);
    } finally {
      readers -= 1;
      closeIfUnused();
    }
  }
  return {
    width: opened.width,
    read: (file, ids) => read(file, entries.find(ids)),
    async findBefore(file, ids, before, keyOf) {
      const found = new Map<string, number>();
      const candidates = (of: Iterable<readonly [string, Entry | undefined]>) =>
        new Map([...of].flatMap(([id, at]) => (at && at.row < before ? [[id, at] as const] : [])));
      let open = candidates(ids.map((id) => [id, entries.nextOf(id)] as const));
      while (open.size > 0) {
        const wanted = [...open.values()].toSorted((a, b) => a.entry - b.entry);
        for await (const rows of read(file, wanted))
          for (const row of rows) {
            const key = row.row < before ? keyOf(row) : null;
            if (key !== null && open.has(key) && row.row < (found.get(key) ?? before))
              found.set(key, row.row);
          }
        // Those that only had the same hash, or no record: the next ones.
        const left = [...open].filter(([id]) => !found.has(id));
        open = candidates(left.map(([id, at]) => [id, entries.nextOf(id, at)] as const));
      }
      return found;
    },
    close() {
      isClosed = true;
      // Readers under way go on.
      closeIfUnused();
    },
  };
};

/** Reads a table once and keeps where its rows are. Null: it has too many rows. */
export const buildRowIndex = async (
  opened: Opened,
  choice: FileChoice,
  maker: Pick<RecordMaker, "idOf">,
  { tempFolder, signal, limit = maxRows }: { tempFolder: string; signal: AbortSignal; limit?: number },
): Promise<RowIndex | null> => {
  const { file, place } = opened;
  const entries = createEntries();
  const spool = place.format === "xlsx" ? createTextSpool(tempFolder) : null;
  let start = place.format === "csv" ? place.offset : 0;
  try {
    for await (const rows of await rowsFrom(file, choice, place, tempFolder)) {
      signal.throwIfAborted();
      if (entries.count + rows.length > limit) {
        spool?.close();
        return null;
      }
      for (const row of rows) {
        entries.add(maker.idOf(row) ?? `row-${row.row}`, start, row.row);
        spool?.add(JSON.stringify(row.cells));
        start = row.end;
      }
    }
  } catch (error) {
    spool?.close();
    throw error;
  }
  entries.seal();
  return indexOf(opened, entries, spool);
};

/** The indexes of the tables in use. Callers at the same time share one that is being built. */
export const createRowIndexes = (max = 2, ttlMs = 120_000) => {
  const kept = new LRUCache<string, Promise<RowIndex | null>>({
    max,
    ttl: ttlMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    // An index that failed has nothing to close.
    dispose: (index) => void index.then((built) => built?.close()).catch(() => {}),
  });
  return async (key: string, build: () => Promise<RowIndex | null>): Promise<RowIndex | null> => {
    for (let known = kept.get(key); known; known = kept.get(key)) {
      // It ends with the caller that began it: then another one builds its own, and gets its own error.
      const index = await known.catch(() => undefined);
      if (index !== undefined) return index;
    }
    const building = build();
    kept.set(key, building);
    building.catch(() => {
      if (kept.get(key) === building) kept.delete(key);
    });
    return building;
  };
};
