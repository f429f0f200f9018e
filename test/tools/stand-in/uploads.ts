import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Upload } from "./written-rows.ts";

const maxHeld = 256 * 1024;

/** Receives the bytes of a file: counts and hashes all of them, and stores those of a small file. */
export const receiveUpload = async (request: IncomingMessage): Promise<Upload> => {
  const chunks: Buffer[] = [];
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes <= maxHeld) chunks.push(chunk);
    else chunks.length = 0;
  }
  const content = bytes <= maxHeld ? Buffer.concat(chunks) : null;
  return { bytes, sha256: hash.digest("hex"), content };
};
