import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Upload } from "./written-rows.ts";

const mostHeld = 256 * 1024;

/** Takes the bytes of a file: all are counted and hashed, those of a small one are held. */
export const receiveUpload = async (request: IncomingMessage): Promise<Upload> => {
  const chunks: Buffer[] = [];
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes <= mostHeld) chunks.push(chunk);
    else chunks.length = 0;
  }
  const content = bytes <= mostHeld ? Buffer.concat(chunks) : null;
  return { bytes, sha256: hash.digest("hex"), content };
};
