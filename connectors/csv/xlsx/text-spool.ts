import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { fileError } from "../file-error.ts";

/** Many texts by number, in an unlinked temporary file: memory holds four bytes for each. */
export interface TextSpool {
  add(text: string): void;
  get(index: number): string;
  close(): void;
}

const maxTexts = 6_000_000;
const maxBytes = 0xffff_ffff;
const bufferBytes = 1_048_576;
const shortLength = 64;
const keptShort = 20_000;

export const createTextSpool = (folder: string): TextSpool => {
  const path = join(folder, `portage-${randomUUID()}`);
  const file = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  let ends = new Uint32Array(1024);
  let count = 0;
  let total = 0;
  let written = 0;
  let waiting: Buffer[] = [];
  // Caches statuses, names and other texts that repeat.
  const kept = new Map<number, string>();

  const flush = () => {
    for (const bytes of waiting) written += writeSync(file, bytes, 0, bytes.length, written);
    waiting = [];
  };
  return {
    add(text) {
      const bytes = Buffer.from(text, "utf8");
      total += bytes.length;
      if (count >= maxTexts || total > maxBytes)
        throw fileError(
          "file_too_large",
          "This Excel file holds too many texts to read. Save the sheet as CSV (UTF-8) and upload that.",
        );
      if (count === ends.length) {
        const longer = new Uint32Array(ends.length * 2);
        longer.set(ends);
        ends = longer;
      }
      ends[count] = total;
      count += 1;
      waiting.push(bytes);
      if (total - written > bufferBytes) flush();
    },
    get(index) {
      const known = kept.get(index);
      if (known !== undefined) return known;
      if (!(index >= 0 && index < count)) return "";
      if (waiting.length > 0) flush();
      const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
      const bytes = Buffer.alloc((ends[index] ?? 0) - start);
      readSync(file, bytes, 0, bytes.length, start);
      const text = bytes.toString("utf8");
      if (text.length <= shortLength && kept.size < keptShort) kept.set(index, text);
      return text;
    },
    close: () => closeSync(file),
  };
};
