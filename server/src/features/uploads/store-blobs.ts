// Hot: every piece of an upload is written and read here.
import type { Database } from "../../platform/db.ts";
import type { BlobStore } from "./blob-store.ts";

/** A deletion stays well within the query timeout of customer requests. */
const blobsPerStatement = 200;

/** Holds blobs in PostgreSQL, so that an installation needs no further service. */
export const createPostgresBlobs = (db: Database): BlobStore => ({
  put: async (uploadId, blob, sealed) => {
    await db.pool.query("insert into upload_blobs (upload_id, blob, sealed) values ($1, $2, $3)", [
      uploadId,
      blob,
      sealed,
    ]);
  },
  get: async (uploadId, blob) => {
    const { rows } = await db.pool.query<{ sealed: Buffer }>(
      "select sealed from upload_blobs where upload_id = $1 and blob = $2",
      [uploadId, blob],
    );
    return rows[0]?.sealed ?? null;
  },
  delete: async (uploadId, blob) => {
    await db.pool.query("delete from upload_blobs where upload_id = $1 and blob = $2", [uploadId, blob]);
  },
  deleteSome: async (uploadId) => {
    const { rowCount } = await db.pool.query(
      `delete from upload_blobs where upload_id = $1 and blob in (
         select blob from upload_blobs where upload_id = $1 limit $2)`,
      [uploadId, blobsPerStatement],
    );
    return (rowCount ?? 0) < blobsPerStatement;
  },
});
