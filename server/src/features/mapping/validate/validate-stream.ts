import { type CustomField, type FamilyStream, findStream } from "@portage/connector-kit";
import { converterFor } from "../apply/convert-field.ts";
import { creationOf } from "../model/created-fields.ts";
import { type Facts, movable, type StreamFacts } from "../model/facts.ts";
import type { FieldChoice, StreamMapping } from "../model/mapping.ts";
import { sortedEntries } from "../model/note-keys.ts";
import { ownValue } from "../model/own-value.ts";
import { createProblems, type MappingProblem } from "../model/problem.ts";
import { typeFit, typeName } from "../suggest/type-fit.ts";
import { shapeOf } from "../model/with-shapes.ts";
import { fits, wordFieldsOf } from "../model/word-fields.ts";

type Problems = ReturnType<typeof createProblems>;

const validateField = (
  problems: Problems,
  path: readonly string[],
  choice: Extract<FieldChoice, { as: "field" }>,
  from: CustomField | undefined,
  to: CustomField | undefined,
) => {
  if (!to) return problems.error(path, "This field is not in the new tool.");
  if (!to.writable) return problems.error(path, `“${to.label}” is filled by the new tool itself.`);
  if (from && typeFit(from.type, to.type) === 0)
    problems.error(
      path,
      `“${from.label}” holds ${typeName(from.type)}, and “${to.label}” takes ${typeName(to.type)}.`,
    );
  const known = to.options ? new Set(to.options.map(({ value }) => value)) : null;
  for (const [word, option] of Object.entries(choice.options))
    if (option !== null && known && !known.has(option))
      problems.error([...path, "options", word], `“${to.label}” has no such option.`);
};

const validateCreation = (
  problems: Problems,
  path: readonly string[],
  from: CustomField | undefined,
  facts: StreamFacts,
) => {
  if (!from) return problems.error(path, "This field is not in the old tool any more.");
  const creation = creationOf(from, facts);
  if (creation.kind === "name_taken")
    problems.error(path, `There is another field with the name “${from.label}”: match it, or leave it.`);
  else if (creation.kind !== "possible")
    problems.error(path, creation.why ?? `“${from.label}” can't be created in the new tool.`);
};

const validateFields = (problems: Problems, own: StreamMapping, facts: StreamFacts) => {
  const source = new Map(facts.sourceFields.map((field) => [field.key, field]));
  const destination = new Map(facts.destinationFields.map((field) => [field.key, field]));
  const filled = new Map<string, string>();
  for (const [key, choice] of sortedEntries(own.fields)) {
    const path = ["fields", key];
    if (choice.as === "create") validateCreation(problems, path, source.get(key), facts);
    if (choice.as !== "field") continue;
    validateField(problems, path, choice, source.get(key), destination.get(choice.to));
    const first = filled.get(choice.to);
    if (first !== undefined)
      problems.error(path, `“${source.get(first)?.label ?? first}” is matched with the same field.`);
    else filled.set(choice.to, key);
  }
  validateFills(problems, own, destination);
  for (const { key, label, required, writable } of facts.destinationFields)
    if (required && writable && !filled.has(key) && (ownValue(own.fills, key) ?? null) === null)
      problems.warning(
        ["fills", key],
        `“${label}” must be filled in the new tool, and nothing is put there.`,
      );
};

const validateFills = (
  problems: Problems,
  { fills }: StreamMapping,
  destination: ReadonlyMap<string, CustomField>,
) => {
  for (const [key, value] of Object.entries(fills)) {
    const field = destination.get(key);
    const path = ["fills", key];
    if (!field) problems.error(path, "This field is not in the new tool.");
    else if (!field.writable) problems.error(path, `“${field.label}” is filled by the new tool itself.`);
    else if (value !== null) {
      const shape = shapeOf(field);
      const convert = converterFor({
        path: key,
        from: { ...shape, options: null },
        to: shape,
        options: new Map(),
        personOf: (id) => id,
        nameOf: () => null,
      });
      const changes: Parameters<typeof convert>[1] = [];
      const result = convert(value, changes);
      if (changes.length > 0 || JSON.stringify(result) !== JSON.stringify(value))
        problems.error(path, `“${field.label}” takes ${typeName(field.type)} of its own.`);
    }
  }
};

const validateWords = (problems: Problems, stream: FamilyStream, own: StreamMapping, facts: StreamFacts) => {
  const fields = new Map(wordFieldsOf(stream).map((each) => [each.field, each]));
  for (const [field, choices] of Object.entries(own.words)) {
    const known = fields.get(field);
    if (!known) {
      problems.error(["words", field], `${stream.label} have no “${field}”.`);
      continue;
    }
    const words = ownValue(facts.destinationWords, field);
    const values = words ? new Set(words.map(({ value }) => value)) : null;
    for (const [word, { to, kind }] of Object.entries(choices)) {
      const path = ["words", field, word];
      if (!fits(stream, field, to)) problems.error(path, "Here a word is needed.");
      else if (to !== null && values && !values.has(to))
        problems.error(path, `The new tool has no such word: “${to}”.`);
      if (kind !== null && (known.kindField === null || !fits(stream, known.kindField, kind)))
        problems.error(path, `“${kind}” is no meaning that this can have.`);
    }
  }
};

export const validateStream = (name: string, own: StreamMapping, facts: Facts): readonly MappingProblem[] => {
  const problems = createProblems("streams", name);
  const stream = findStream(facts.family, name);
  const known = movable(facts).find((each) => each.name === name);
  if (!stream || !known) {
    problems.error([], `${stream?.label ?? `“${name}”`} can't be moved between these two tools.`);
    return problems.all;
  }
  validateFields(problems, own, known);
  validateWords(problems, stream, own, known);
  return problems.all;
};
