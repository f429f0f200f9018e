import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import type { Secret } from "../../platform/secret.ts";
import type { BlobStore } from "./blob-store.ts";

export interface S3Settings {
  /** Undefined: Amazon's own address for the region. */
  readonly url: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** Before the name of every object, such as `portage/`. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretKey: Secret;
}

export interface S3Blobs extends BlobStore {
  close(): void;
}

/** Far more than a quarter of a megabyte takes; without it a service that falls silent holds a request or a run for ever. */
const answerMs = 30_000;

/** Holds blobs in a bucket of S3 or a compatible service, as `PREFIX<upload>/<blob>`. */
export const createS3Blobs = (settings: S3Settings, timeoutMs: number = answerMs): S3Blobs => {
  const { url, region, bucket: Bucket, prefix, accessKeyId, secretKey } = settings;
  const client = new S3Client({
    region,
    ...(url !== undefined && { endpoint: url, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey: secretKey.reveal() },
    requestHandler: {
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
    },
    // Other services do not know Amazon's newer checksums, and each blob is authenticated by its seal.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const keyOf = (uploadId: string, blob: string) => `${prefix}${uploadId}/${blob}`;
  return {
    put: async (uploadId, blob, sealed) => {
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key: keyOf(uploadId, blob),
          Body: sealed,
          ContentLength: sealed.length,
        }),
      );
    },
    get: async (uploadId, blob) => {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(uploadId, blob) }));
        return Body ? Buffer.from(await Body.transformToByteArray()) : null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    delete: async (uploadId, blob) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(uploadId, blob) }));
    },
    deleteSome: async (uploadId) => {
      const listed = await client.send(new ListObjectsV2Command({ Bucket, Prefix: `${prefix}${uploadId}/` }));
      const Objects = (listed.Contents ?? []).map(({ Key }) => ({ Key: Key ?? "" }));
      if (Objects.length === 0) return true;
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
      );
      if (Errors.length > 0)
        throw new Error(
          `S3 did not delete ${Errors.length} objects of ${uploadId}: ${Errors[0]?.Code ?? ""}`,
        );
      return listed.IsTruncated !== true;
    },
    close: () => client.destroy(),
  };
};
