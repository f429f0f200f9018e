import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

/** An unlinked temporary file: it ends with its process, whatever happens. */
export interface TempFile {
  /** In bytes. */
  readonly size: number;
  append(bytes: Uint8Array): void;
  read(offset: number, length: number): Buffer;
  close(): void;
}

export const openTempFile = (folder: string): TempFile => {
  const path = join(folder, `portage-${randomUUID()}`);
  const file = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  let size = 0;
  return {
    get size() {
      return size;
    },
    append(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const written = writeSync(file, bytes, from, bytes.length - from, size);
        from += written;
        size += written;
      }
    },
    read(offset, length) {
      const bytes = Buffer.allocUnsafe(length);
      for (let from = 0; from < length; ) {
        const taken = readSync(file, bytes, from, length - from, offset + from);
        if (taken === 0) throw new Error("A temporary file is shorter than what was written to it.");
        from += taken;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
};
