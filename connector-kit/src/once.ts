import type { Io } from "./io.ts";

export interface Once<S, K extends readonly (string | number)[], V> {
  (io: Io<S>, ...key: K): Promise<V>;
  /** The next call loads the value again: something has changed it. */
  forget(io: Io<S>, ...key: K): void;
}

/** Loads a value at most once per step, or once per step and key. A load that failed is tried again. */
export const once = <S, K extends readonly (string | number)[], V>(
  load: (io: Io<S>, ...key: K) => Promise<V>,
): Once<S, K, V> => {
  const steps = new WeakMap<object, Map<string, Promise<V>>>();
  const valuesOf = ({ scope }: Io<S>) => {
    const values = steps.get(scope) ?? new Map<string, Promise<V>>();
    steps.set(scope, values);
    return values;
  };
  const get = (io: Io<S>, ...key: K): Promise<V> => {
    const values = valuesOf(io);
    const name = JSON.stringify(key);
    const known = values.get(name);
    if (known) return known;
    const loaded = load(io, ...key);
    values.set(name, loaded);
    loaded.catch(() => {
      if (values.get(name) === loaded) values.delete(name);
    });
    return loaded;
  };
  return Object.assign(get, {
    forget: (io: Io<S>, ...key: K) => void valuesOf(io).delete(JSON.stringify(key)),
  });
};
