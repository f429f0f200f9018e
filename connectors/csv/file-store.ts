/** One uploaded file, read in pieces from any place. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number;
  /**
   * The bytes from an offset on, in pieces of any size. A piece may be overwritten once the next one is asked for;
   * giving up early (`return()`) releases what is held.
   */
  openAt(offset: number): AsyncIterable<Uint8Array>;
}

/** Where uploads are kept. The server has one; tests have a folder. */
export interface FileStore {
  /** By the opaque id that the settings hold; null: there is no such file, or it is not this import's. */
  open(fileId: string): Promise<StoredFile | null>;
}
