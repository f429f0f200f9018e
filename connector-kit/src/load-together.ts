import type { Io } from "./io.ts";
import { once } from "./once.ts";

/** Looks values up by id: all that the records of a page ask for in one call of `load`, each id once per step. */
export const loadTogether = <S, K extends string | number, V>(
  load: (io: Io<S>, ids: readonly K[]) => Promise<ReadonlyMap<K, V>>,
) => {
  const waiting = new WeakMap<object, { ids: K[]; loaded: Promise<ReadonlyMap<K, V>> }>();
  return once(async (io: Io<S>, id: K): Promise<V | null> => {
    let batch = waiting.get(io.scope);
    if (!batch) {
      const ids: K[] = [];
      // Later than all records of the page, which ask at the same moment.
      const loaded = Promise.resolve().then(() => {
        waiting.delete(io.scope);
        return load(io, ids);
      });
      batch = { ids, loaded };
      waiting.set(io.scope, batch);
    }
    batch.ids.push(id);
    return (await batch.loaded).get(id) ?? null;
  });
};
