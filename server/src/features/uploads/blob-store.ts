/** Holds the sealed bytes of uploads. A blob is written once, and never changed. */
export interface BlobStore {
  put(uploadId: string, blob: string, sealed: Buffer): Promise<void>;
  /** Null: there is no such blob. */
  get(uploadId: string, blob: string): Promise<Buffer | null>;
  delete(uploadId: string, blob: string): Promise<void>;
  /** Deletes blobs of an upload, those of interrupted requests too. False: there may be more. */
  deleteSome(uploadId: string): Promise<boolean>;
}

export type StoreName = "postgres" | "s3";

/** The stores of this installation. Files that were uploaded before the operator chose another store stay where they are. */
export interface BlobStores {
  /** For new uploads. */
  readonly chosen: StoreName;
  /** Throws if the operator took away the configuration of a store that is in use. */
  of(name: StoreName): BlobStore;
}
