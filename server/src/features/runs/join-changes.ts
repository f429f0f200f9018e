import type { FieldChange } from "@portage/connector-kit";

/**
 * What was done to a record on its way, and what the tool then told of it. Where the tool says what became of a field, it
 * knows better than the mapping, which only foresaw another form; what the mapping cut off or left out stays told.
 */
export const joinChanges = (
  planned: readonly FieldChange[],
  told: readonly FieldChange[],
): readonly FieldChange[] => {
  if (told.length === 0) return planned;
  const known = new Set(told.map(({ field }) => field));
  return [...planned.filter(({ field, change }) => change !== "converted" || !known.has(field)), ...told];
};
