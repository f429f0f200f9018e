import type { StoredFile } from "./file-store.ts";

/** A window that moves forward over a file and buffers no more than the caller requested. */
export interface FileWindow {
  /** The buffered bytes, beginning at `offset`; valid until the next `fill`. */
  readonly bytes: Buffer;
  readonly offset: number;
  /** True: the file ends with the buffered bytes. */
  readonly atEnd: boolean;
  /** Reads until at least `length` bytes are buffered, or the file ends. */
  fill(length: number): Promise<void>;
  /** Drops that many bytes at the front. */
  drop(length: number): void;
  close(): Promise<void>;
}

/** Reuses buffers from page to page, since the garbage collector is slow to free memory outside its heap. */
const spares: Buffer[] = [];
const spareBytes = 393_216;
const maxSpares = 4;

export const openWindow = (file: StoredFile, start: number): FileWindow => {
  const pieces = file.openAt(start)[Symbol.asyncIterator]();
  // One buffer: the bytes between `from` and `to` are valid.
  let buffer: Buffer = spares.pop() ?? Buffer.allocUnsafeSlow(spareBytes);
  let from = 0;
  let to = 0;
  let offset = start;
  let ended = start >= file.size;

  /** Makes room after the buffered bytes by moving them to the front or into a larger buffer. */
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
