const sameWord = (a: string, b: string) => a.localeCompare(b, "en", { sensitivity: "base" }) === 0;

/** The entry with that name, else the first with the same meaning, else the first of all. */
export const pickByWord = <T extends { readonly name: string }>(
  all: readonly T[],
  word: string | null,
  means: (one: T) => boolean,
): T | undefined =>
  all.find(({ name }) => word !== null && name === word) ??
  all.find(({ name }) => word !== null && sameWord(name, word)) ??
  all.find(means) ??
  all[0];
