import type { CustomField, CustomFieldType } from "@portage/connector-kit";
import type { StreamFacts } from "./facts.ts";
import { folded } from "./fold.ts";
import type { FieldChoice, FieldShape, Mapping } from "./mapping.ts";
import { ownValue } from "./own-value.ts";
import { shapeOf } from "./with-shapes.ts";

/** A field that a mapping asks for in the destination. */
export interface FieldToCreate {
  readonly stream: string;
  /** Of the source's field whose values it gets. */
  readonly sourceKey: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly options: FieldShape["options"];
}

/** A field that the destination got for a field of the source. */
export interface CreatedField {
  readonly stream: string;
  readonly sourceKey: string;
  readonly field: CustomField;
}

/** Stands for the key of a field that is not created yet, in previews; no run writes it. */
const plannedKey = (sourceKey: string) => `create:${sourceKey}`;

export const creationsIn = ({ streams }: Mapping): readonly FieldToCreate[] =>
  Object.entries(streams).flatMap(([stream, { fields, source }]) =>
    Object.entries(fields).flatMap(([sourceKey, choice]): FieldToCreate[] => {
      const shape = ownValue(source, sourceKey);
      if (choice.as !== "create" || !shape) return [];
      const { label, type, options } = shape;
      return [{ stream, sourceKey, label, type, options }];
    }),
  );

/** The fields that the destination has by itself and that the mapping fills. */
export const usesIn = ({
  streams,
}: Mapping): readonly { readonly stream: string; readonly sourceKey: string; readonly key: string }[] =>
  Object.entries(streams).flatMap(([stream, { fields }]) =>
    Object.entries(fields).flatMap(([sourceKey, choice]) =>
      choice.as === "field" ? [{ stream, sourceKey, key: choice.to }] : [],
    ),
  );

/** The mapping with a field of the destination in place of each one to create: as it was created, else as it is planned. */
export const resolveCreations = (mapping: Mapping, created: readonly CreatedField[]): Mapping => {
  const wanted = creationsIn(mapping);
  if (wanted.length === 0) return mapping;
  const streams = Object.entries(mapping.streams).map(([name, own]) => {
    const fields: Record<string, FieldChoice> = { ...own.fields };
    const destination: Record<string, FieldShape> = { ...own.destination };
    for (const { stream, sourceKey } of wanted) {
      const shape = ownValue(own.source, sourceKey);
      if (stream !== name || !shape) continue;
      const field = created.find((each) => each.stream === name && each.sourceKey === sourceKey)?.field;
      const to = field?.key ?? plannedKey(sourceKey);
      fields[sourceKey] = { as: "field", to, options: {} };
      destination[to] = field ? shapeOf(field) : shape;
    }
    return [name, { ...own, fields, destination }];
  });
  return { ...mapping, streams: Object.fromEntries(streams) as Mapping["streams"] };
};

export type Creation =
  | { readonly kind: "possible" }
  /** `why`: one sentence of the tool; null: there is none to give. */
  | { readonly kind: "type" | "none"; readonly why: string | null }
  /** The destination has a field of this name, or two fields of the source share it. */
  | { readonly kind: "name_taken" };

/** Whether the destination can get a field like this one. */
export const creationOf = (
  { key, label, type }: Pick<CustomField, "key" | "label" | "type">,
  { sourceFields, destinationFields, creatable }: StreamFacts,
): Creation => {
  const why = creatable?.why ?? null;
  if (!creatable || creatable.types.length === 0 || label === "") return { kind: "none", why };
  if (!creatable.types.includes(type)) return { kind: "type", why };
  const name = folded(label);
  const isTaken =
    destinationFields.some((field) => folded(field.label) === name) ||
    sourceFields.some((field) => field.key !== key && folded(field.label) === name);
  return isTaken ? { kind: "name_taken" } : { kind: "possible" };
};
