import { Readable } from "node:stream";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from "yauzl";
import { fileError } from "../file-error.ts";
import type { StoredFile } from "../file-store.ts";

export interface ZipLimits {
  readonly entries: number;
  /** What one entry may unpack to. */
  readonly entryBytes: number;
  /** Unpacked over packed; sheets reach 50, a bomb a thousand. */
  readonly ratio: number;
  /** An entry of fewer unpacked bytes may have any ratio. */
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
  constructor(file: StoredFile) {
    super();
    this.#file = file;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    const file = this.#file;
    const pieces = async function* () {
      let left = end - start;
      if (left === 0) return;
      for await (const piece of file.openAt(start)) {
        // A stream reads ahead, so that it needs its own.
        yield Buffer.from(piece.subarray(0, left));
        left -= piece.length;
        if (left <= 0) return;
      }
    };
    return Readable.from(pieces(), { objectMode: false });
  }
}

export interface ZipFile {
  has(path: string): boolean;
  /** The unpacked bytes; never more than the limits allow, whatever the archive says. */
  open(path: string): Promise<Readable>;
}

const bomb = (path: string) =>
  fileError(
    "file_too_large",
    `The part “${path}” of this Excel file unpacks to far more than a sheet should. Save the sheet as CSV (UTF-8) and upload that.`,
  );

export const openZip = async (file: StoredFile, limits: ZipLimits = zipLimits): Promise<ZipFile> => {
  const entries = new Map<string, Entry>();
  const unreadable = (cause: unknown) =>
    fileError(
      "file_format",
      "This Excel file is damaged. Open it in your spreadsheet program, save it again and upload the copy.",
      cause,
    );
  const zip = await fromRandomAccessReaderPromise(new StoredFileReader(file), file.size, {
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
      // The sizes are told by the archive; reading ends with an error at the first byte beyond what it told.
      if (size > limits.entryBytes || (size > limits.freeBytes && size > compressedSize * limits.ratio))
        throw bomb(path);
      return zip.openReadStreamPromise(entry).catch((cause: unknown) => {
        throw unreadable(cause);
      });
    },
  };
};
