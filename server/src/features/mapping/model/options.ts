import { folded } from "./fold.ts";
import type { FieldShape } from "./mapping.ts";

type Options = FieldShape["options"];

/** The option's label; a value that is no option, or has no label, stands for itself. */
export const labelsOf = (options: Options): ((value: string) => string) => {
  if (options === null) return (value) => value;
  const labels = new Map(options.map(({ value, label }) => [value, label]));
  return (value) => labels.get(value) || value;
};

/** The option that a word means: by value, by label, then ignoring case and accents; null if none does. */
export const optionFinder = (options: Options): ((word: string) => string | null) => {
  if (options === null) return (word) => word;
  const found = new Map<string, string>();
  const loosely = new Map<string, string | null>();
  // The empty option is what a tool shows for none.
  const listed = options.filter(({ value }) => value !== "");
  for (const { value } of listed) found.set(value, value);
  for (const { value, label } of listed) if (!found.has(label)) found.set(label, value);
  for (const { value, label } of listed)
    for (const word of new Set([folded(value), folded(label)])) {
      // A text of signs only has no letters to compare.
      if (word === "") continue;
      // Two that differ only by case are ambiguous.
      const other = loosely.get(word);
      loosely.set(word, other === undefined || other === value ? value : null);
    }
  return (word) => found.get(word) ?? loosely.get(folded(word)) ?? null;
};
