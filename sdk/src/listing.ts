/** A list that is fetched page by page, while it is walked through. Every walk starts anew. */
export interface Listing<T> extends AsyncIterable<T> {
  /** All of it at once. */
  toArray(): Promise<T[]>;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page starts; null: that was the last. */
  readonly next: string | null;
}

export const createListing = <T>(
  first: string | null,
  fetchPage: (start: string | null) => Promise<Page<T>>,
): Listing<T> => {
  const walk = async function* () {
    const seen = new Set<string | null>();
    // A page that leads back to one before would never end.
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
