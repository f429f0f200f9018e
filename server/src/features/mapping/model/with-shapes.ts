import type { CustomField } from "@portage/connector-kit";
import type { Facts } from "./facts.ts";
import type { FieldShape, Mapping } from "./mapping.ts";

export const shapeOf = ({ label, type, options, maxLength }: CustomField): FieldShape => ({
  label,
  type,
  options: options ? options.map((option) => ({ value: option.value, label: option.label })) : null,
  maxLength: maxLength ?? null,
});

const shapesOf = (fields: readonly CustomField[]) =>
  Object.fromEntries(fields.map((field) => [field.key, shapeOf(field)]));

/** The mapping with the tools' current fields, so that it can be applied without asking the tools again. */
export const withShapes = (mapping: Mapping, facts: Facts): Mapping => {
  const known = new Map(facts.streams.map((stream) => [stream.name, stream]));
  const streams = Object.entries(mapping.streams).map(([name, stream]) => {
    const { sourceFields = [], destinationFields = [] } = known.get(name) ?? {};
    return [name, { ...stream, source: shapesOf(sourceFields), destination: shapesOf(destinationFields) }];
  });
  return { ...mapping, streams: Object.fromEntries(streams) as Mapping["streams"] };
};
