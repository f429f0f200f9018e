/**
 * Cuts a page into chains of batches: chains are written side by side, the batches of a chain one after the other.
 * What belongs to one parent is in one chain, in its order: tools lock the parent, and show its parts as they came.
 */
export const writeChains = <T>(
  all: readonly T[],
  size: number,
  parentOf: (each: T) => string,
): readonly (readonly (readonly T[])[])[] => {
  const chains: T[][] = [];
  const families = Map.groupBy(all.entries(), ([index, each]) => parentOf(each) || index);
  for (const family of families.values()) {
    const members = family.map(([, each]) => each);
    const last = chains.at(-1);
    if (last && last.length + members.length <= size) last.push(...members);
    else chains.push(members);
  }
  return chains.map((chain) =>
    Array.from({ length: Math.ceil(chain.length / size) }, (_, index) =>
      chain.slice(index * size, (index + 1) * size),
    ),
  );
};
