import { type BlobStores, createPostgresBlobs } from "../features/uploads/index.ts";
import type { Database } from "../platform/db.ts";

/** Where this installation keeps the bytes of uploaded files. */
export const createBlobStores = (db: Database): BlobStores => {
  const postgres = createPostgresBlobs(db);
  return {
    chosen: "postgres",
    of: (name) => {
      if (name === "postgres") return postgres;
      throw new Error("Some uploaded files are in S3, which is not configured.");
    },
  };
};
