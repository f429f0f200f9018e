import type { StreamMapping } from "./mapping.ts";
import { ownValue } from "./own-value.ts";

/** A key that no field of the destination has. */
export const freeKey = (key: string, label: string, taken: ReadonlySet<string>): string => {
  let name = label === "" ? key : label;
  if (taken.has(name)) name = `${name} (${key})`;
  while (taken.has(name)) name = `${name}*`;
  return name;
};

const inOrder = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

/** The entries sorted by key: their order in the object is arbitrary. */
export const sortedEntries = <T>(entries: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(entries).toSorted(inOrder);

/** The keys under which fields without a match go along. */
export const noteKeysOf = ({
  fields,
  source,
  destination,
}: Pick<StreamMapping, "fields" | "source" | "destination">): ReadonlyMap<string, string> => {
  const taken = new Set(Object.keys(destination));
  const keys = new Map<string, string>();
  for (const [key, choice] of sortedEntries(fields)) {
    if (choice.as !== "note") continue;
    const free = freeKey(key, ownValue(source, key)?.label ?? key, taken);
    taken.add(free);
    keys.set(key, free);
  }
  return keys;
};
