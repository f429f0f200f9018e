import type { TableRow } from "../csv-rows.ts";
import { readSharedTexts } from "./shared-texts.ts";
import { readSheet, type SheetRange } from "./sheet-rows.ts";
import type { Sheet, Workbook } from "./workbook.ts";

interface Limits {
  /** Different ones, of all cells. */
  readonly texts: number;
  /** Of all texts together. */
  readonly characters: number;
}

const firstLimits: Limits = { texts: 200_000, characters: 20_000_000 };

/** The texts that these rows name; null: they are too many or too long together. */
const textsOf = async (
  workbook: Workbook,
  sheet: Sheet,
  range: SheetRange,
  limits: Limits,
): Promise<ReadonlyMap<number, string> | null> => {
  const named = new Set<number>();
  const name = (index: number) => {
    named.add(index);
    return "";
  };
  const isOne = range.count === 1;
  for await (const _ of readSheet(workbook, sheet, range, name))
    if (named.size > limits.texts && !isOne) return null;
  const texts = new Map<number, string>();
  let left = limits.characters;
  await readSharedTexts(
    workbook,
    (index) => named.has(index),
    (text, index) => {
      texts.set(index, text);
      left -= text.length;
      return texts.size < named.size && (left >= 0 || isOne);
    },
  );
  return left < 0 && !isOne ? null : texts;
};

/**
 * The first rows from a number on, without a temporary file: looks at which texts they name, and reads only those. Fewer rows, if
 * their texts are too much for memory.
 */
export async function* firstSheetRows(
  workbook: Workbook,
  sheet: Sheet,
  { from, count }: SheetRange,
  limits: Limits = firstLimits,
): AsyncGenerator<readonly TableRow[]> {
  for (let some = count; ; some = Math.floor(some / 4) || 1) {
    const range = { from, count: some };
    const texts = await textsOf(workbook, sheet, range, limits);
    if (!texts) continue;
    yield* readSheet(workbook, sheet, range, (index) => texts.get(index) ?? "");
    return;
  }
}
