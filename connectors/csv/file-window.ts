import type { StoredFile } from "./file-store.ts";

/** A stretch of a file that moves forward: held in memory up to what was asked for, never more. */
export interface FileWindow {
  /** What is held, beginning at `offset`; valid until the next `fill`. */
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

/** Pages come one after the other: buffers are handed on, since the collector is slow to see what is not its heap. */
const spares: Buffer[] = [];
const spareBytes = 393_216;
const maxSpares = 4;

export const openWindow = (file: StoredFile, start: number): FileWindow => {
  const pieces = file.openAt(start)[Symbol.asyncIterator]();
  // One buffer for all: what is held stands between `from` and `to`.
  let buffer: Buffer = spares.pop() ?? Buffer.allocUnsafeSlow(spareBytes);
  let from = 0;
  let to = 0;
  let offset = start;
  let ended = start >= file.size;

  /** Makes room behind what is held, by moving it to the front or into a larger buffer. */
  const makeRoom = (length: number) => {
    if (to + length <= buffer.length) return;
    const held = to - from;
    const target = held + length <= buffer.length ? buffer : Buffer.allocUnsafeSlow(2 * (held + length));
    buffer.copy(target, 0, from, to);
    buffer = target;
    from = 0;
    to = held;
  };
  return {
    get bytes() {
      return buffer.subarray(from, to);
    },
    get offset() {
      return offset;
    },
    get atEnd() {
      return ended;
    },
    async fill(length) {
      while (to - from < length && !ended) {
        const { value, done } = await pieces.next();
        if (done) {
          ended = true;
          return;
        }
        makeRoom(value.length);
        buffer.set(value, to);
        to += value.length;
        ended = offset + to - from >= file.size;
      }
    },
    drop(length) {
      from += length;
      offset += length;
    },
    async close() {
      if (buffer.length === spareBytes && spares.length < maxSpares) spares.push(buffer);
      buffer = Buffer.alloc(0);
      from = 0;
      to = 0;
      await pieces.return?.();
    },
  };
};

/** At most `length` bytes from an offset. */
export const readAt = async (file: StoredFile, offset: number, length: number): Promise<Buffer> => {
  const window = openWindow(file, offset);
  try {
    await window.fill(length);
    return Buffer.from(window.bytes.subarray(0, length));
  } finally {
    await window.close();
  }
};
