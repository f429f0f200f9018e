import { LRUCache } from "lru-cache";
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
export const createParkedReaders = (max = 2, ttlMs = 30_000): ParkedReaders => {
  const parked = new LRUCache<string, RowReader>({
    max,
    ttl: ttlMs,
    ttlAutopurge: true,
    dispose: ({ rows }, _, reason) => {
      // `take` deletes a reader and goes on with it.
      if (reason === "delete") return;
      // A reader that can't be closed has nothing left to close.
      rows.return(undefined).catch(() => {});
    },
  });
  return {
    take(place) {
      const found = parked.get(place) ?? null;
      parked.delete(place);
      return found;
    },
    park: (place, reader) => void parked.set(place, reader),
  };
};
