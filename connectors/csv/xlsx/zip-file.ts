import { Readable } from "node:stream";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from "yauzl";
import { fileError } from "../file-error.ts";
import type { StoredFile } from "../file-store.ts";

export interface ZipLimits {
  readonly entries: number;
  /** The maximum unpacked size of one entry. */
  readonly entryBytes: number;
  /** The maximum unpacked size divided by the packed size; sheets reach 50, a zip bomb a thousand. */
  readonly ratio: number;
  /** A smaller entry may have any ratio. */
  readonly freeBytes: number;
}

export const zipLimits: ZipLimits = {
  entries: 5_000,
  entryBytes: 4_000_000_000,
  ratio: 300,
  freeBytes: 4_000_000,
};

class StoredFileReader extends RandomAccessReader {
  readonly #file: StoredFile;
  /** What the store failed with: no fault of the file. */
  outage: Error | null = null;
  constructor(file: StoredFile) {
    super();
    this.#file = file;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end - start), { objectMode: false });
  }
  async *#pieces(start: number, length: number) {
    let left = length;
    if (left === 0) return;
    try {
      for await (const piece of this.#file.openAt(start)) {
        // A stream reads ahead, so it needs its own copy.
        yield Buffer.from(piece.subarray(0, left));
        left -= piece.length;
        if (left <= 0) return;
      }
    } catch (error) {
      this.outage =
        error instanceof Error ? error : new Error("The file could not be read.", { cause: error });
      throw this.outage;
    }
  }
}

export interface ZipFile {
  has(path: string): boolean;
  /** The unpacked bytes; never more than the limits allow, whatever the archive claims. */
  open(path: string): Promise<AsyncIterable<Uint8Array>>;
}

const bomb = (path: string) =>
  fileError(
    "file_too_large",
    `The part “${path}” of this Excel file unpacks to far more than a sheet should. Save the sheet as CSV (UTF-8) and upload that.`,
  );

export const openZip = async (file: StoredFile, limits: ZipLimits = zipLimits): Promise<ZipFile> => {
  const entries = new Map<string, Entry>();
  const reader = new StoredFileReader(file);
  const unreadable = (cause: unknown) =>
    reader.outage ??
    fileError(
      "file_format",
      "This Excel file is damaged. Open it in your spreadsheet program, save it again and upload the copy.",
      cause,
    );
  const unpacked = async function* (packed: Readable): AsyncGenerator<Uint8Array> {
    try {
      yield* packed;
    } catch (cause) {
      throw unreadable(cause);
    }
  };
  const zip = await fromRandomAccessReaderPromise(reader, file.size, {
    lazyEntries: true,
    autoClose: false,
    validateEntrySizes: true,
  }).catch((cause: unknown) => {
    throw unreadable(cause);
  });
  if (zip.entryCount > limits.entries) throw bomb(`${zip.entryCount} entries`);
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (cause) {
    throw unreadable(cause);
  }
  return {
    has: (path) => entries.has(path),
    async open(path) {
      const entry = entries.get(path);
      if (!entry) throw unreadable(new Error(`No ${path}`));
      const { uncompressedSize: size, compressedSize } = entry;
      // The archive states the sizes; reading fails at the first byte beyond the stated size.
      if (size > limits.entryBytes || (size > limits.freeBytes && size > compressedSize * limits.ratio))
        throw bomb(path);
      return zip.openReadStreamPromise(entry).then(unpacked, (cause: unknown) => {
        throw unreadable(cause);
      });
    },
  };
};
