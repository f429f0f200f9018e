import { type Facts, movable, type SourcePersonFacts, type StreamFacts } from "../model/facts.ts";
import {
  type FieldChoice,
  type Mapping,
  mappingSchema,
  type PersonChoice,
  type StreamMapping,
  type WordChoice,
} from "../model/mapping.ts";
import { ownValue } from "../model/own-value.ts";
import { acceptedFrom, suggestFields } from "./suggest-fields.ts";
import { suggestWords } from "./suggest-words.ts";
import { withShapes } from "../model/with-shapes.ts";
import { peopleStreamOf } from "../model/word-fields.ts";

const fieldsOf = ({ sourceFields, destinationFields }: StreamFacts): Record<string, FieldChoice> =>
  Object.fromEntries(
    suggestFields(sourceFields, destinationFields).map(({ key, to }) => [
      key,
      to === null ? { as: "note" } : { as: "field", to, options: {} },
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

const choiceOf = ({ person, suggestion }: SourcePersonFacts): [string, PersonChoice][] =>
  suggestion.kind === "match" && suggestion.confidence >= acceptedFrom
    ? [[person.id, { to: "person", id: suggestion.id }]]
    : [];

/** The mapping that applies if the customer decides nothing: all suggestions that are likely enough. */
export const suggestMapping = (facts: Facts): Mapping => {
  const { name: peopleStream } = peopleStreamOf(facts.family);
  const canCopyPeople = movable(facts).some(({ name }) => name === peopleStream);
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
      unmatched: canCopyPeople ? "copy" : "nobody",
    },
    streams: Object.fromEntries(streams) as unknown,
  });
  return withShapes(mapping, facts);
};
