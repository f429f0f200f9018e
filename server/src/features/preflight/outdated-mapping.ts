import { type Facts, type Mapping, validateMapping } from "../mapping/index.ts";
import type { Finding } from "./finding.ts";

/** A matching that names what one of the tools no longer has. */
export const findOutdated = (facts: Facts, mapping: Mapping): readonly Finding[] => {
  const validated = validateMapping(mapping, facts);
  if (validated.kind === "valid") return [];
  const count = validated.problems.length;
  return [
    {
      code: "mapping_outdated",
      level: "warns",
      side: null,
      stream: null,
      count,
      message: `${count === 1 ? "One choice" : `${count} choices`} of the matching can't be carried out as the tools are now.`,
      fix: "Open the matching and correct what is marked there.",
    },
  ];
};
