import { type Facts, isStreamSelected, type Mapping, movable } from "../mapping/index.ts";
import { type Finding, streamWords } from "./finding.ts";

/** Fields that must be filled in the new tool, and that nothing is put into. */
export const findEmptyFields = (facts: Facts, mapping: Mapping): readonly Finding[] =>
  movable(facts)
    .filter(({ name }) => isStreamSelected(mapping, name))
    .flatMap(({ name, destinationFields }): readonly Finding[] => {
      const own = mapping.streams[name];
      const filled = new Set([
        ...Object.values(own?.fields ?? {}).flatMap((choice) => (choice.as === "field" ? [choice.to] : [])),
        ...Object.entries(own?.fills ?? {}).flatMap(([key, value]) => (value === null ? [] : [key])),
      ]);
      const empty = destinationFields.filter(
        ({ key, required, writable }) => required && writable && !filled.has(key),
      );
      if (empty.length === 0) return [];
      const names = empty.slice(0, 5).map(({ label }) => `“${label}”`);
      const others = empty.length > names.length;
      return [
        {
          code: "fields_empty",
          level: "warns",
          side: "destination",
          stream: name,
          count: empty.length,
          names,
          ...(others && { variant: "and_others" }),
          message: `${names.join(", ")}${others ? " and others" : ""} must be filled for ${streamWords(facts.family, name)} in the new tool, and nothing is put there.`,
          fix: "Choose a field of the old tool or a fixed value for each, or make it optional in the new tool.",
        },
      ];
    });
