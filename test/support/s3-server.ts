import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "../../server/src/platform/secret.ts";
import type { S3Settings } from "../../server/src/features/uploads/index.ts";

interface S3rver {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}

// It has no types.
const S3rver = createRequire(import.meta.url)("s3rver") as new (options: object) => S3rver;

/** A server that is compatible with S3, with a bucket in a temporary folder. It checks signatures. */
export const startS3Server = async () => {
  const directory = await mkdtemp(join(tmpdir(), "portage-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: "uploads", configs: [] }],
  });
  const { port } = await server.run();
  const settings: Omit<S3Settings, "prefix"> = {
    url: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    bucket: "uploads",
    accessKeyId: "S3RVER",
    secretKey: new Secret("S3RVER"),
  };
  return {
    settings,
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
};
