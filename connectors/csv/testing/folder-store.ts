import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileStore, StoredFile } from "../file-store.ts";

export const localFile = async (path: string): Promise<StoredFile> => {
  const { size } = await stat(path);
  return {
    size,
    async *openAt(start) {
      const file = await open(path);
      const piece = Buffer.allocUnsafeSlow(65_536);
      try {
        for (let offset = start; ; ) {
          const { bytesRead } = await file.read(piece, 0, piece.length, offset);
          if (bytesRead === 0) return;
          yield piece.subarray(0, bytesRead);
          offset += bytesRead;
        }
      } finally {
        await file.close();
      }
    },
  };
};

/** Files of a folder, by name. */
export const folderStore = (folder: string): FileStore => ({
  open: (_, fileId) =>
    /^[\w.-]+$/.test(fileId) ? localFile(join(folder, fileId)).catch(() => null) : Promise.resolve(null),
});

/** A file in memory that comes in pieces of a given size. */
export const memoryFile = (bytes: Uint8Array, pieceBytes = 65_536): StoredFile => ({
  size: bytes.length,
  async *openAt(offset) {
    // Overwritten each time, as the interface allows.
    const piece = Buffer.alloc(pieceBytes);
    for (let start = offset; start < bytes.length; start += pieceBytes) {
      const end = Math.min(start + pieceBytes, bytes.length);
      piece.fill(0x2c);
      piece.set(bytes.subarray(start, end));
      yield piece.subarray(0, end - start);
    }
  },
});

export const memoryStore = (files: Readonly<Record<string, StoredFile>>): FileStore => ({
  open: async (_, fileId) => files[fileId] ?? null,
});
