import type { StoredFile } from "./file-store.ts";

/** A stretch of a file that moves forward: held in memory up to what was asked for, never more. */
export interface FileWindow {
  /** What is held, beginning at `offset`. */
  readonly bytes: Buffer;
  readonly offset: number;
  /** True: nothing follows what is held. */
  readonly atEnd: boolean;
  /** Reads on until at least so many bytes are held, or the file ends. */
  fill(length: number): Promise<void>;
  /** Lets go of that many bytes at the front. */
  drop(length: number): void;
  close(): Promise<void>;
}

export const openWindow = (file: StoredFile, start: number): FileWindow => {
  const pieces = file.openAt(start)[Symbol.asyncIterator]();
  let bytes: Buffer = Buffer.alloc(0);
  let offset = start;
  let ended = start >= file.size;
  return {
    get bytes() {
      return bytes;
    },
    get offset() {
      return offset;
    },
    get atEnd() {
      return ended;
    },
    async fill(length) {
      const held: Uint8Array[] = [bytes];
      let total = bytes.length;
      while (total < length && !ended) {
        const { value, done } = await pieces.next();
        if (done) ended = true;
        else {
          held.push(value);
          total += value.length;
          ended = offset + total >= file.size;
        }
      }
      if (held.length > 1) bytes = Buffer.concat(held);
    },
    drop(length) {
      bytes = bytes.subarray(length);
      offset += length;
    },
    async close() {
      await pieces.return?.();
    },
  };
};

/** At most `length` bytes from an offset. */
export const readAt = async (file: StoredFile, offset: number, length: number): Promise<Buffer> => {
  const window = openWindow(file, offset);
  try {
    await window.fill(length);
    return window.bytes.subarray(0, length);
  } finally {
    await window.close();
  }
};
