import { createHash, randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Upload } from "../store/store-files.ts";
import { Refusal } from "./refusal.ts";

/** Writes a stream to a new file, in constant memory, and returns size and digest; a refused file leaves nothing. */
export const receiveFile = async (
  folder: string,
  body: AsyncIterable<Uint8Array>,
  { maxBytes, size: declared }: { maxBytes: number; size: number | null },
): Promise<Upload> => {
  if ((declared ?? 0) > maxBytes) throw new Refusal(413, "The file is larger than we take.");
  const path = randomUUID();
  const hash = createHash("sha256");
  let size = 0;
  const file = await open(join(folder, "files", path), "wx");
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new Refusal(413, "The file is larger than we take.");
      hash.update(chunk);
      await file.write(chunk);
    }
    if (declared !== null && declared !== size)
      throw new Refusal(422, "The file's length differs from the declared one.");
    await file.sync();
    return { path, size, sha256: hash.digest("hex") };
  } catch (error) {
    await rm(join(folder, "files", path), { force: true });
    throw error;
  } finally {
    await file.close();
  }
};
