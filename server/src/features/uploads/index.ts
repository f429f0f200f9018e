/**
 * Files that customers upload where their old tool has no API: received in resumable chunks, stored sealed, read in constant
 * memory. Entry points: `createUploads` (all that routes and connectors need), `deleteErased` (background), `purgeUploads` and
 * `eraseUnfinished`, `eraseUnused` (erasure and retention), `uploadKeys` (key rotation).
 * Invariants: a file belongs to one import, and every lookup names both. Each file has a data key of its own, sealed by the
 * operator's key ring; each piece is bound to its import, file and number. Bytes count as received only in order and without
 * gaps (`claimPiece`), whatever requests repeat or overtake each other. An erasure destroys the data key in its transaction;
 * the sealed bytes follow within minutes (delete-erased.ts).
 */
export type { BlobStores } from "./blob-store.ts";
export { createUploads, type UploadService } from "./create-uploads.ts";
export { deleteErased } from "./delete-erased.ts";
export { createS3Blobs, type S3Blobs, type S3Settings } from "./s3-blobs.ts";
export { eraseUnfinished, eraseUnused, purgeUploads, uploadKeys } from "./store.ts";
export type { FileToInspect, TableReader } from "./table-reader.ts";
export { createPostgresBlobs } from "./store-blobs.ts";
export { pieceBytes, type Upload } from "./upload.ts";
