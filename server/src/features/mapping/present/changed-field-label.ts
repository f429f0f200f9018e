import type { FieldChange } from "@portage/connector-kit";
import { fieldLabel } from "./field-labels.ts";
import type { Mapping } from "../model/mapping.ts";
import { ownValue } from "../model/own-value.ts";

const custom = "customFields.";

/** The label of a changed field: a change names it by its path, of either tool or as a note. */
export const changedFieldLabel = (
  { streams }: Pick<Mapping, "streams">,
  stream: string,
  { field, why }: Pick<FieldChange, "field" | "why">,
): string => {
  if (!field.startsWith(custom)) return fieldLabel(field.replace(/\..*$/s, ""));
  const key = field.slice(custom.length);
  const own = ownValue(streams, stream);
  const labels = [own?.destination, own?.source].flatMap(
    (side) => (side && ownValue(side, key)?.label) ?? [],
  );
  // A key may mean different fields in the two tools: then the sentence shows which is meant.
  return labels.find((label) => why.includes(`“${label}”`)) ?? labels[0] ?? key;
};
