import { type FamilyStream, findStream } from "@portage/connector-kit";
import { type Facts, movable } from "../model/facts.ts";
import type { Mapping } from "../model/mapping.ts";
import { createProblems, type MappingProblem } from "../model/problem.ts";
import { isStreamSelected } from "../model/selection.ts";
import { validatePeople } from "./validate-people.ts";
import { validateStream } from "./validate-stream.ts";
import { withShapes } from "../model/with-shapes.ts";

export type ValidatedMapping =
  /** With the tools' current fields: the mapping to save. */
  | { readonly kind: "valid"; readonly mapping: Mapping; readonly warnings: readonly MappingProblem[] }
  | { readonly kind: "invalid"; readonly problems: readonly MappingProblem[] };

/** The streams that records of this one need: one of each list must be selected. */
export const requiredBy = (stream: FamilyStream): readonly (readonly string[])[] =>
  Object.values(stream.relations)
    .filter(({ missing }) => missing === "skip")
    .map(({ to }) => to.filter((name) => name !== stream.name))
    .filter(({ length }) => length > 0);

const validateSelection = (mapping: Mapping, facts: Facts) => {
  const problems = createProblems("selection");
  const { streams, createdFrom, createdBefore, changedFrom, changedBefore } = mapping.selection;
  const isReversed = (from: string | null, before: string | null) =>
    from !== null && before !== null && Date.parse(from) >= Date.parse(before);
  const canMove = new Set(movable(facts).map(({ name }) => name));
  const labelOf = (name: string) => findStream(facts.family, name)?.label ?? name;
  const goes = (name: string) => canMove.has(name) && isStreamSelected(mapping, name);
  for (const [index, name] of (streams ?? []).entries()) {
    const stream = findStream(facts.family, name);
    const at = ["streams", String(index)];
    if (!stream) problems.error(at, `There is nothing called “${name}”.`);
    else if (!canMove.has(name))
      problems.error(at, `${stream.label} can't be moved between these two tools.`);
    else
      for (const needed of requiredBy(stream))
        if (!needed.some(goes))
          problems.error(at, `${stream.label} can't be moved without ${needed.map(labelOf).join(" or ")}.`);
  }
  if (streams !== null && streams.length === 0) problems.error(["streams"], "Choose what to move.");
  if (isReversed(createdFrom, createdBefore))
    problems.error(["createdBefore"], "The last day is before the first.");
  if (isReversed(changedFrom, changedBefore))
    problems.error(["changedBefore"], "The last day is before the first.");
  return problems.all;
};

/** Whether a mapping can be carried out between these two tools, as they were when the facts were gathered. */
export const validateMapping = (mapping: Mapping, facts: Facts): ValidatedMapping => {
  const problems = [
    ...validateSelection(mapping, facts),
    ...validatePeople(mapping, facts),
    ...Object.entries(mapping.streams).flatMap(([name, own]) => validateStream(name, own, facts)),
  ];
  const errors = problems.filter(({ level }) => level === "error");
  return errors.length > 0
    ? { kind: "invalid", problems: errors }
    : { kind: "valid", mapping: withShapes(mapping, facts), warnings: problems };
};
