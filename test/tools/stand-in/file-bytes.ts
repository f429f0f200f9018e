import { createHash } from "node:crypto";

const block = 64 * 1024;

/** A file's bytes, computed on reading: the same for the same name. */
export function* fileBytes(name: string, size: number): Generator<Buffer> {
  const pattern = Buffer.alloc(block, createHash("sha512").update(name).digest());
  for (let sent = 0; sent < size; sent += block) yield pattern.subarray(0, Math.min(block, size - sent));
}
