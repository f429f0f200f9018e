import { createHash } from "node:crypto";
import type { FileBody } from "../io.ts";

/** The real size and digest of a file, without buffering it. */
export const fileDigest = async (file: FileBody): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of await file.open()) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest("hex") };
};
