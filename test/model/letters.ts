/** Sets of records, each a letter, as a sorted text: small, comparable, and readable in a trace. */
export type Letters = string;

export const has = (set: Letters, letter: string): boolean => set.includes(letter);

export const without = (set: Letters, gone: Letters): Letters => {
  let left = "";
  for (const letter of set) if (!gone.includes(letter)) left += letter;
  return left;
};

export const both = (one: Letters, other: Letters): Letters => {
  if (other === "") return one;
  if (one === "") return [...other].toSorted().join("");
  return [...one, ...without(other, one)].toSorted().join("");
};

export const common = (one: Letters, other: Letters): Letters => {
  let shared = "";
  for (const letter of one) if (other.includes(letter)) shared += letter;
  return shared;
};
