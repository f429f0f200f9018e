import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileStore, StoredFile } from "../file-store.ts";

export const localFile = async (path: string): Promise<StoredFile> => {
  const { size } = await stat(path);
  return { size, openAt: (start) => createReadStream(path, { start, highWaterMark: 262_144 }) };
};

/** Files of a folder, by name. */
export const folderStore = (folder: string): FileStore => ({
  open: (fileId) =>
    /^[\w.-]+$/.test(fileId) ? localFile(join(folder, fileId)).catch(() => null) : Promise.resolve(null),
});

/** A file in memory that comes in pieces of a given size. */
export const memoryFile = (bytes: Uint8Array, pieceBytes = 65_536): StoredFile => ({
  size: bytes.length,
  async *openAt(offset) {
    for (let start = offset; start < bytes.length; start += pieceBytes)
      yield bytes.subarray(start, Math.min(start + pieceBytes, bytes.length));
  },
});

export const memoryStore = (files: Readonly<Record<string, StoredFile>>): FileStore => ({
  open: async (fileId) => files[fileId] ?? null,
});
