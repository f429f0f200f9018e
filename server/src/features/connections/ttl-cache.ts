export interface Kept<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
}

/** A cache with a TTL and a maximum size. */
export const createKept = <T>(
  { keptMs, most }: { readonly keptMs: number; readonly most: number },
  now: () => number = () => performance.now(),
): Kept<T> => {
  const kept = new Map<string, { readonly until: number; readonly value: T }>();
  return {
    get: (key) => {
      const found = kept.get(key);
      return found && found.until > now() ? found.value : undefined;
    },
    set: (key, value) => {
      kept.delete(key);
      kept.set(key, { until: now() + keptMs, value });
      // A map keeps the order of insertion: the oldest entry is the first.
      for (const oldest of kept.keys()) {
        if (kept.size <= most) return;
        kept.delete(oldest);
      }
    },
    delete: (key) => void kept.delete(key),
  };
};
