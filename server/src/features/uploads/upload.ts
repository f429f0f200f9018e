/** One uploaded file of an import, complete once `received` is `size`. */
export interface Upload {
  readonly id: string;
  readonly importId: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Stored bytes, from the beginning and without gaps: an interrupted upload resumes here. */
  readonly received: number;
  /** The file's time of change in the customer's browser, in milliseconds; null: unknown. */
  readonly modifiedAt: number | null;
}

/** The content is sealed and stored in pieces of this size; the last one is shorter. A lost connection loses at most one. */
export const pieceBytes = 262_144;

export interface UploadLimits {
  /** Of one file. */
  readonly fileBytes: number;
  /** Of all files of an import. */
  readonly importBytes: number;
  readonly files: number;
}

const gigabyte = 1024 ** 3;

export const uploadLimits: UploadLimits = { fileBytes: 5 * gigabyte, importBytes: 20 * gigabyte, files: 40 };

/** The length of a piece, by its number. */
export const pieceLength = (size: number, piece: number): number =>
  Math.min(pieceBytes, size - piece * pieceBytes);
