import {
  type BlobStores,
  createPostgresBlobs,
  createS3Blobs,
  type S3Blobs,
} from "../features/uploads/index.ts";
import type { Database } from "../platform/db.ts";
import { Secret } from "../platform/secret.ts";
import { type Config, ConfigError } from "./config.ts";

/** The variables that say where uploaded files are. */
export const storeNames = [
  "UPLOADS",
  "S3_URL",
  "S3_REGION",
  "S3_BUCKET",
  "S3_PREFIX",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
] as const satisfies readonly (keyof Config)[];

type StoreConfig = Pick<Config, (typeof storeNames)[number]>;

export interface OpenBlobStores extends BlobStores {
  close(): void;
}

/** Null: S3 is not configured. */
const openS3 = (config: StoreConfig): S3Blobs | null => {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: key } = config;
  if (bucket === undefined || accessKeyId === undefined || key === undefined) {
    if (config.UPLOADS === "postgres") return null;
    throw new ConfigError(
      "Invalid configuration:\n  UPLOADS=s3 needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
    );
  }
  return createS3Blobs({
    url: config.S3_URL,
    region: config.S3_REGION,
    bucket,
    prefix: config.S3_PREFIX,
    accessKeyId,
    secretKey: new Secret(key),
  });
};

/** Where this installation keeps the bytes of uploaded files. */
export const createBlobStores = (db: Database, config: StoreConfig): OpenBlobStores => {
  const postgres = createPostgresBlobs(db);
  const s3 = openS3(config);
  return {
    chosen: config.UPLOADS,
    of: (name) => {
      if (name === "postgres") return postgres;
      if (s3) return s3;
      throw new Error(
        "Some uploaded files are in S3, which is not configured: set S3_BUCKET and its keys again.",
      );
    },
    close: () => s3?.close(),
  };
};
