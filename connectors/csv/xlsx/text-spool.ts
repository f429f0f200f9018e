import { fileError } from "../file-error.ts";
import { openTempFile } from "../temp-file.ts";

/** Many texts by number, in a temporary file: memory holds four bytes for each. */
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
  const file = openTempFile(folder);
  let ends = new Uint32Array(1024);
  let count = 0;
  let total = 0;
  let waiting: Buffer[] = [];
  // Caches statuses, names and other texts that repeat.
  const kept = new Map<number, string>();

  const flush = () => {
    for (const bytes of waiting) file.append(bytes);
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
      if (total - file.size > bufferBytes) flush();
    },
    get(index) {
      const known = kept.get(index);
      if (known !== undefined) return known;
      if (!(index >= 0 && index < count)) return "";
      if (waiting.length > 0) flush();
      const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
      const text = file.read(start, (ends[index] ?? 0) - start).toString("utf8");
      if (text.length <= shortLength && kept.size < keptShort) kept.set(index, text);
      return text;
    },
    close: () => file.close(),
  };
};
