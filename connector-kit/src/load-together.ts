import type { Io } from "./io.ts";
import { once } from "./once.ts";

/** A process works for many accounts, each with many people: it forgets what it kept rather than hold more. */
const maxKept = 10_000;

/**
 * Looks values up by id: all that the records of a page ask for in one call of `load`, each id once per step.
 * `mayBeOld`: what an earlier step of this run loaded some minutes ago is as good. It may also `note` what a list has just told.
 */
export const loadTogether = <S, K extends string | number, V>(
  load: (io: Io<S>, ids: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  { mayBeOld = false }: { readonly mayBeOld?: boolean } = {},
) => {
  const waiting = new WeakMap<object, { ids: K[]; loaded: Promise<ReadonlyMap<K, V>> }>();
  const kept = new WeakMap<object, Map<K, V | null>>();
  const keptFor = ({ shared }: Io<S>): Map<K, V | null> | null => {
    if (!mayBeOld || !shared) return null;
    const values = kept.get(shared) ?? new Map<K, V | null>();
    kept.set(shared, values);
    return values;
  };
  const note = (io: Io<S>, id: K, value: V | null): void => {
    const known = keptFor(io);
    if (known && known.size >= maxKept) known.clear();
    known?.set(id, value);
  };
  const get = once(async (io: Io<S>, id: K): Promise<V | null> => {
    const old = keptFor(io)?.get(id);
    if (old !== undefined) return old;
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
    const value = (await batch.loaded).get(id) ?? null;
    note(io, id, value);
    return value;
  });
  return Object.assign(get, { note });
};
