import {
  canCopyPeople,
  type Facts,
  movable,
  type SourcePersonFacts,
  type StreamFacts,
} from "../model/facts.ts";
import {
  type FieldChoice,
  type Mapping,
  mappingSchema,
  type PersonChoice,
  type StreamMapping,
  type WordChoice,
} from "../model/mapping.ts";
import { ownValue } from "../model/own-value.ts";
import { creationOf } from "../model/created-fields.ts";
import { acceptedFrom, type FieldSuggestion, suggestFields } from "./suggest-fields.ts";
import { suggestWords } from "./suggest-words.ts";
import { withShapes } from "../model/with-shapes.ts";
import { holdsPeople } from "../model/word-fields.ts";

/**
 * A field without a counterpart that holds values is created, where the destination can; one that may be another is left to
 * the customer. Not one of people: most of them are there already, and stay as they are.
 */
const withoutMatch = (
  { key, candidates }: FieldSuggestion,
  stream: StreamFacts,
): Extract<FieldChoice, { as: "create" | "note" }> => {
  const field = stream.sourceFields.find((each) => each.key === key);
  const creates = field && field.used > 0 && candidates.length === 0 && !holdsPeople(stream.name);
  return creates && creationOf(field, stream).kind === "possible" ? { as: "create" } : { as: "note" };
};

const fieldsOf = (stream: StreamFacts): Record<string, FieldChoice> =>
  Object.fromEntries(
    suggestFields(stream.sourceFields, stream.destinationFields).map((suggestion) => [
      suggestion.key,
      suggestion.to === null
        ? withoutMatch(suggestion, stream)
        : { as: "field", to: suggestion.to, options: {} },
    ]),
  );

const wordsOf = (facts: Facts, stream: StreamFacts): StreamMapping["words"] =>
  Object.fromEntries(
    Object.entries(stream.words).map(([field, seen]) => {
      const known = ownValue(stream.destinationWords, field);
      const found = suggestWords({ family: facts.family, field, seen, known });
      const choices = found.flatMap(({ word, to, kind }): [string, WordChoice][] =>
        to === null ? [] : [[word, { to, kind }]],
      );
      return [field, Object.fromEntries(choices)];
    }),
  );

/** The person of the destination who is the same, as far as both tools show; null: the customer must choose. */
export const likelyMatch = ({ suggestion }: SourcePersonFacts): string | null =>
  suggestion.kind === "match" && suggestion.confidence >= acceptedFrom ? suggestion.id : null;

const choiceOf = (one: SourcePersonFacts): [string, PersonChoice][] => {
  const id = likelyMatch(one);
  return id === null ? [] : [[one.person.id, { to: "person", id }]];
};

/** The mapping that applies if the customer decides nothing: all suggestions that are likely enough. */
export const suggestMapping = (facts: Facts): Mapping => {
  // If there is nothing to match, the connector's defaults apply.
  const matched = movable(facts).filter(
    ({ sourceFields, words }) =>
      sourceFields.length > 0 || Object.values(words).some(({ length }) => length > 0),
  );
  const streams = matched.map((stream) => [
    stream.name,
    { fields: fieldsOf(stream), words: wordsOf(facts, stream) },
  ]);
  const mapping = mappingSchema.parse({
    people: {
      choices: Object.fromEntries(facts.people.source.flatMap(choiceOf)),
      unmatched: canCopyPeople(facts) ? "copy" : "nobody",
    },
    streams: Object.fromEntries(streams) as unknown,
  });
  return withShapes(mapping, facts);
};
