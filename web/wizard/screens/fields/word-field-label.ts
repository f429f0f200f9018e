import type { TFunction } from "i18next";

const fieldNames = ["status", "priority", "type", "activity"] as const;
type FieldName = (typeof fieldNames)[number];

const isFieldName = (name: string): name is FieldName => (fieldNames as readonly string[]).includes(name);

/** The name of a field whose values are matched; one that no catalogue names keeps its own. */
export const wordFieldLabel = (t: TFunction<"fields">, name: string): string =>
  isFieldName(name) ? t(`wordFields.${name}`) : name;
