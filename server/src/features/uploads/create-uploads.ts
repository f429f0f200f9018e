import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { BlobStores } from "./blob-store.ts";
import { createOpenFile, type UploadedFile } from "./open-files.ts";
import { createReceiveBytes, type Received } from "./receive-bytes.ts";
import {
  type UploadBegun,
  eraseUpload,
  insertUpload,
  listUploads,
  type NewUpload,
  type Removed,
} from "./store.ts";
import { type Upload, type UploadLimits, uploadLimits } from "./upload.ts";

/** The uploaded files of imports. Every call names the import: a file of another one is not there. */
export interface UploadService {
  readonly limits: UploadLimits;
  begin(wanted: NewUpload): Promise<UploadBegun>;
  list(importId: string): Promise<readonly Upload[]>;
  receive(
    importId: string,
    uploadId: string,
    offset: number,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Received>;
  open(importId: string, uploadId: string): Promise<UploadedFile | null>;
  erase(importId: string, uploadId: string): Promise<Removed>;
}

export const createUploads = (
  needs: { readonly db: Database; readonly sealer: Sealer; readonly blobs: BlobStores },
  limits: UploadLimits = uploadLimits,
): UploadService => {
  const { db, sealer, blobs } = needs;
  return {
    limits,
    begin: (wanted) => insertUpload(db, sealer, wanted, limits, blobs.chosen),
    list: (importId) => listUploads(db, sealer, importId),
    receive: createReceiveBytes(needs),
    open: createOpenFile(needs),
    erase: (importId, uploadId) => eraseUpload(db, importId, uploadId),
  };
};
