/** One uploaded file, readable in pieces from any offset. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /**
   * The bytes from an offset on, in pieces of any size. The store may overwrite a piece when the caller requests the
   * next one; `return()` releases all resources early.
   */
  openAt(offset: number): AsyncIterable<Uint8Array>;
}

/** Holds the uploads. The server has an implementation; tests use a folder. */
export interface FileStore {
  /** By the ids in the settings; null: no such file, or a file of another import. */
  open(importId: string, fileId: string): Promise<StoredFile | null>;
}
