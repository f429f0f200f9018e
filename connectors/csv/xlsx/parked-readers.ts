import type { TableRow } from "../csv-rows.ts";

/** A reader that stopped between two rows. */
export interface RowReader {
  readonly rows: AsyncGenerator<readonly TableRow[]>;
  /** Rows that the reader has already read but not yet returned. */
  readonly left: readonly TableRow[];
}

export interface ParkedReaders {
  take(place: string): RowReader | null;
  park(place: string, reader: RowReader): void;
}

/**
 * Caches the last few readers for a short time, so that reading a sheet page after page unpacks it once. It is only
 * an optimization: without a cached reader the caller reads from the start.
 */
export const createParkedReaders = (atMost = 2, forMs = 30_000): ParkedReaders => {
  const parked = new Map<string, { readonly reader: RowReader; readonly timer: NodeJS.Timeout }>();
  const release = (place: string): RowReader | null => {
    const found = parked.get(place);
    if (!found) return null;
    clearTimeout(found.timer);
    parked.delete(place);
    return found.reader;
  };
  const giveUp = (place: string) => {
    // A reader that can't be closed has nothing left to close.
    release(place)
      ?.rows.return(undefined)
      .catch(() => {});
  };
  return {
    take: release,
    park(place, reader) {
      giveUp(place);
      const [oldest] = parked.keys();
      if (oldest !== undefined && parked.size >= atMost) giveUp(oldest);
      parked.set(place, { reader, timer: setTimeout(() => giveUp(place), forMs).unref() });
    },
  };
};
