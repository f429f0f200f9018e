import type { Mapping } from "./mapping.ts";
import { ownValue } from "./own-value.ts";

/** The keys of the destination's custom fields that hold people in a stream, by any of these mappings. */
export const personFieldsOf = (mappings: readonly Mapping[], stream: string): readonly string[] => {
  const keys = mappings.flatMap(({ streams }) =>
    Object.entries(ownValue(streams, stream)?.destination ?? {}).flatMap(([key, { type }]) =>
      type === "person" ? [key] : [],
    ),
  );
  return [...new Set(keys)];
};
