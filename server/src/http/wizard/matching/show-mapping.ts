import type { WizardFieldType, WizardMatching, WizardStreamFacts } from "@portage/contract/wizard";
import type { Unsent } from "../represent.ts";
import {
  canCopyPeople,
  creationOf,
  type Facts,
  movable,
  suggestFields,
  suggestMapping,
  suggestWords,
  typeFit,
} from "../../../features/mapping/index.ts";
import { customFieldTypes, findStream } from "../../../features/tools/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import type { FindMatching } from "./matching.ts";

interface Needs {
  readonly findMatching: FindMatching;
}

const fits = Object.fromEntries(
  customFieldTypes.map((from) => [from, customFieldTypes.filter((to) => typeFit(from, to) > 0)]),
) as unknown as Record<WizardFieldType, readonly WizardFieldType[]>;

const streamOf = (
  { family }: Facts,
  stream: Facts["streams"][number],
  isMovable: boolean,
): Unsent<WizardStreamFacts> => {
  const { creatable: _, ...shown } = stream;
  const { name, sourceFields, destinationFields, words, destinationWords } = shown;
  const wordsOf = (field: string, seen: (typeof words)[string]) =>
    suggestWords({
      family,
      field,
      seen,
      known: Object.hasOwn(destinationWords, field) ? destinationWords[field] : undefined,
    });
  return {
    ...shown,
    sourceFields: sourceFields.map((field) => ({ ...field, creation: creationOf(field, stream) })),
    label: findStream(family, name)?.label ?? name,
    suggestions: {
      fields: isMovable ? suggestFields(sourceFields, destinationFields) : [],
      words: Object.fromEntries(
        Object.entries(words)
          .filter(([field]) => isMovable && Object.hasOwn(destinationWords, field))
          .map(([field, seen]) => [field, wordsOf(field, seen)]),
      ),
    },
  };
};

const peopleOf = (facts: Facts): WizardMatching["facts"]["people"] => {
  const { source, destination, complete } = facts.people;
  const matches = source.flatMap(({ suggestion }) => (suggestion.kind === "match" ? [suggestion] : []));
  const exact = matches.filter(({ confidence }) => confidence === 1).length;
  return {
    source: source.length,
    destination: destination.length,
    complete,
    exact,
    likely: matches.length - exact,
    canCopy: canCopyPeople(facts),
  };
};

/** The saved decisions, the suggestions with reasons, and the facts to match. People have their own list. */
export const showMapping = ({ findMatching }: Needs): WizardRoute => ({
  method: "GET",
  path: "/mapping",
  handle: async ({ import: { id } }) => {
    const { current, facts } = await findMatching(id);
    const { family, notes } = facts;
    const canMove = new Set(movable(facts));
    return ok({
      ...current,
      ...(current.revision === 0 && { suggested: suggestMapping(facts) }),
      facts: {
        family,
        notes,
        fits,
        people: peopleOf(facts),
        streams: facts.streams.map((stream) => streamOf(facts, stream, canMove.has(stream))),
      },
    } satisfies Unsent<WizardMatching>);
  },
});
