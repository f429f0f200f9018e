import { expect, test } from "vitest";
import type { Database } from "../platform/db.ts";
import { createBlobStores, storeNames } from "./blob-stores.ts";
import { readPart } from "./config.ts";

const storesOf = (env: NodeJS.ProcessEnv) => createBlobStores({} as Database, readPart(storeNames, env));
const s3 = { S3_BUCKET: "files", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "key" };

test("files are in PostgreSQL unless the operator says otherwise", () => {
  expect(storesOf({}).chosen).toBe("postgres");
  const stores = storesOf({ UPLOADS: "s3", ...s3 });
  expect(stores.chosen).toBe("s3");
  // Those of before stay readable.
  expect(() => stores.of("postgres")).not.toThrow();
  stores.close();
});

test("S3 without a bucket or keys is refused at the start, with what is missing", () => {
  const { S3_BUCKET: _, ...rest } = s3;
  expect(() => storesOf({ UPLOADS: "s3", ...rest })).toThrow("S3_BUCKET");
  expect(() => storesOf({ UPLOADS: "disk" })).toThrow("must be postgres or s3");
});

test("files in an S3 that is no longer configured are an error with its fix", () => {
  expect(() => storesOf({}).of("s3")).toThrow("set S3_BUCKET");
  const still = storesOf({ UPLOADS: "postgres", ...s3 });
  expect(() => still.of("s3")).not.toThrow();
  still.close();
});
