import { openTempFile, type TempFile } from "./temp-file.ts";

/** A row whose key may be the wanted one: the caller compares the keys. */
export interface Entry {
  readonly entry: number;
  /** The offset of the row. */
  readonly start: number;
  readonly row: number;
}

/** FNV-1a. */
const hashOf = (id: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
};

/** An entry: its hash, the number of the next one in its bucket, its row (4 bytes each) and its offset (8 bytes). */
const entryBytes = 20;
/** Some 24 MB. */
const heldRows = 1_048_576;
const copiedBytes = 1_048_576;

type BytesAt = (offset: number, length: number) => Buffer;

/** A hash table of rows in the file's order. Numbers of entries begin with 1; 0: none. */
interface Segment {
  readonly count: number;
  first(hash: number): number;
  get(number: number): { readonly hash: number; readonly next: number } & Omit<Entry, "entry">;
}

const segmentOf = (count: number, buckets: number, firstAt: BytesAt, entryAt: BytesAt): Segment => ({
  count,
  first: (hash) => firstAt((hash & (buckets - 1)) * 4, 4).readUInt32LE(0),
  get(number) {
    const bytes = entryAt((number - 1) * entryBytes, entryBytes);
    return {
      hash: bytes.readUInt32LE(0),
      next: bytes.readUInt32LE(4),
      row: bytes.readUInt32LE(8),
      start: bytes.readDoubleLE(12),
    };
  },
});

const within =
  (bytes: Buffer): BytesAt =>
  (offset, length) =>
    bytes.subarray(offset, offset + length);

/** Copies a part to the end of a temporary file, piece by piece, and reads it there from now on. */
const movedTo = (file: TempFile, bytes: Buffer): BytesAt => {
  const { size: begin } = file;
  for (let from = 0; from < bytes.length; from += copiedBytes)
    file.append(bytes.subarray(from, from + copiedBytes));
  return (offset, length) => file.read(begin + offset, length);
};

export interface EntriesOptions {
  readonly tempFolder: string;
  /** How many rows memory holds; those before are in a temporary file. */
  readonly held?: number;
}

/** The rows of a table by the hashes of their keys, in the file's order. Memory is the same for a table of any length. */
export const createRowEntries = ({ tempFolder, held = heldRows }: EntriesOptions) => {
  let bytes = Buffer.alloc(Math.min(1024, held) * entryBytes);
  let count = 0;
  let spilled = 0;
  let file: TempFile | null = null;
  const segments: Segment[] = [];

  /**
   * Builds the buckets, in the file's order: each entry costs the same, also in a table that repeats one key a million times.
   */
  const chain = () => {
    const buckets = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
    const first = Buffer.alloc(buckets * 4);
    for (let number = count; number > 0; number -= 1) {
      const at = (number - 1) * entryBytes;
      const bucket = (bytes.readUInt32LE(at) & (buckets - 1)) * 4;
      bytes.writeUInt32LE(first.readUInt32LE(bucket), at + 4);
      first.writeUInt32LE(number, bucket);
    }
    return { buckets, first };
  };
  const spill = () => {
    file ??= openTempFile(tempFolder);
    const { buckets, first } = chain();
    segments.push(segmentOf(count, buckets, movedTo(file, first), movedTo(file, bytes)));
    spilled += count;
    count = 0;
  };
  const entryOf = (segment: number, number: number, { row, start }: Omit<Entry, "entry">): Entry => ({
    entry: segment * held + number - 1,
    row,
    start,
  });
  return {
    get count() {
      return spilled + count;
    },
    add(id: string, start: number, row: number) {
      if (count === held) spill();
      const at = count * entryBytes;
      if (at === bytes.length) bytes = Buffer.concat([bytes], Math.min(at * 2, held * entryBytes));
      bytes.writeUInt32LE(hashOf(id), at);
      bytes.writeUInt32LE(row, at + 8);
      bytes.writeDoubleLE(start, at + 12);
      count += 1;
    },
    /** After the last row, before the first question. */
    seal() {
      const { buckets, first } = chain();
      segments.push(segmentOf(count, buckets, within(first), within(bytes)));
    },
    /** The first row with the hash of this key, or the first one after another. */
    nextOf(id: string, after?: Entry): Entry | undefined {
      const hash = hashOf(id);
      let index = after ? Math.floor(after.entry / held) : 0;
      let number = after
        ? (segments[index]?.get((after.entry % held) + 1).next ?? 0)
        : (segments[0]?.first(hash) ?? 0);
      for (let segment = segments[index]; segment; segment = segments[index]) {
        while (number !== 0) {
          const found = segment.get(number);
          if (found.hash === hash) return entryOf(index, number, found);
          number = found.next;
        }
        index += 1;
        number = segments[index]?.first(hash) ?? 0;
      }
      return undefined;
    },
    /** The rows with the hashes of these keys, each once, in the file's order. */
    *find(ids: readonly string[]): Generator<Entry> {
      // A hash is looked up once, however many keys have it.
      const hashes = new Set(ids.map(hashOf));
      for (const [index, segment] of segments.entries()) {
        const found = new Map<number, Entry>();
        for (const hash of hashes)
          for (let number = segment.first(hash); number !== 0; ) {
            const entry = segment.get(number);
            if (entry.hash === hash) found.set(number, entryOf(index, number, entry));
            number = entry.next;
          }
        yield* [...found.values()].toSorted((a, b) => a.entry - b.entry);
      }
    },
    /** By the number of its row; rows increase. */
    at(row: number): Entry | undefined {
      for (const [index, segment] of segments.entries()) {
        let low = 1;
        let high = segment.count;
        while (low <= high) {
          const middle = (low + high) >>> 1;
          const found = segment.get(middle);
          if (found.row === row) return entryOf(index, middle, found);
          if (found.row < row) low = middle + 1;
          else high = middle - 1;
        }
      }
      return undefined;
    },
    close: () => file?.close(),
  };
};

export type RowEntries = ReturnType<typeof createRowEntries>;
