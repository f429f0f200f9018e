import type { ColumnFacts } from "./column-facts.ts";

/** The sample of another uploaded file. */
export interface OtherTable {
  readonly stream: string;
  /** Values of its key column. */
  readonly keys: ReadonlySet<string>;
}

/** The file that contains most of a column's values as keys, and their share. */
export const overlapOf = (
  { values }: ColumnFacts,
  streams: readonly string[],
  others: readonly OtherTable[],
): { readonly stream: string; readonly share: number } | null => {
  const found = others
    .filter(({ stream }) => streams.includes(stream))
    .map(({ stream, keys }) => ({
      stream,
      share: values.filter((value) => keys.has(value)).length / Math.max(1, values.length),
    }))
    .toSorted((a, b) => b.share - a.share)[0];
  return found && found.share > 0 ? found : null;
};
