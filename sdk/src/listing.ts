/** A list that fetches its pages while you iterate. Every iteration starts anew. */
export interface Listing<T> extends AsyncIterable<T> {
  /** All items at once. */
  toArray(): Promise<T[]>;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; null: this was the last. */
  readonly next: string | null;
}

export const createListing = <T>(
  first: string | null,
  fetchPage: (start: string | null) => Promise<Page<T>>,
): Listing<T> => {
  const walk = async function* () {
    const seen = new Set<string | null>();
    // A page that leads back to an earlier one would loop forever.
    for (let start = first; !seen.has(start); ) {
      seen.add(start);
      const { items, next } = await fetchPage(start);
      yield* items;
      if (next === null) return;
      start = next;
    }
  };
  return {
    [Symbol.asyncIterator]: walk,
    async toArray() {
      const all: T[] = [];
      for await (const item of walk()) all.push(item);
      return all;
    },
  };
};
