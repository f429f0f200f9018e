import type {
  WizardCustomField,
  WizardMapping,
  WizardSourceField,
  WizardStreamFacts,
} from "@portage/contract/wizard";
import type { ReadyMatching } from "../../../matching/matching-store.ts";
import { fieldIn, setField, setFill, setWord, streamIn } from "../../fields/field-choice.ts";
import { setRest } from "../../people/person-choice.ts";

/** The ways in which a customer can mend a cause, once for all of its records. */
export type FixKind = "person" | "create" | "fill" | "match" | "leave";

/** A value of the old tool, such as a status, and those that the new one has for it. */
export interface MatchableWord {
  readonly key: string;
  readonly field: string;
  readonly word: string;
  readonly known: WizardStreamFacts["destinationWords"][string];
}

interface FixOptions {
  /** Whether records of this kind name people who can stand for others. */
  readonly person: boolean;
  /** Fields of the old tool that the new one lacks and can get. */
  readonly create: readonly WizardSourceField[];
  /** Fields that the new tool requires and that nothing fills. */
  readonly fill: readonly WizardCustomField[];
  /** Values that can be matched with others. */
  readonly match: readonly MatchableWord[];
  /** Fields that are copied now. */
  readonly leave: readonly WizardSourceField[];
}

const fieldOf = ({ facts }: ReadyMatching, stream: string) =>
  facts.streams.find(({ name }) => name === stream);

const wordsOf = (facts: WizardStreamFacts | undefined): readonly MatchableWord[] =>
  Object.entries(facts?.suggestions.words ?? {}).flatMap(([field, words]) => {
    const known = facts?.destinationWords[field] ?? [];
    return known.length === 0
      ? []
      : words.map(({ word }) => ({ key: JSON.stringify([field, word]), field, word, known }));
  });

export const fixOptions = (ready: ReadyMatching, stream: string): FixOptions => {
  const facts = fieldOf(ready, stream);
  const { fields, fills } = streamIn(ready.mapping, stream);
  const filled = new Set(
    Object.values(fields).flatMap((choice) => (choice.as === "field" ? [choice.to] : [])),
  );
  return {
    person: ready.facts.people.destination > 0,
    create: (facts?.sourceFields ?? []).filter(({ key, creation }) => {
      const choice = fieldIn(ready.mapping, stream, key);
      return creation.kind === "possible" && choice?.as !== "field" && choice?.as !== "create";
    }),
    fill: (facts?.destinationFields ?? []).filter(
      ({ key, required, writable }) =>
        required && writable && !filled.has(key) && (fills[key] === undefined || fills[key] === null),
    ),
    match: wordsOf(facts),
    leave: (facts?.sourceFields ?? []).filter(({ key }) => {
      const as = fieldIn(ready.mapping, stream, key)?.as;
      return as === "field" || as === "create";
    }),
  };
};

/** What the customer has chosen so far; nulls: still open. */
export interface Draft {
  readonly kind: FixKind | null;
  readonly personId: string | null;
  readonly field: string | null;
  readonly value: string;
}

export const noDraft: Draft = { kind: null, personId: null, field: null, value: "" };

const typed = ({ type }: WizardCustomField, text: string): string | number | boolean | readonly string[] => {
  if (type === "number") return Number(text);
  if (type === "boolean") return text === "true";
  return type === "choices" ? [text] : text;
};

/** The change of the mapping; null: something is still to choose. */
export const changeOf = (
  { kind, personId, field, value }: Draft,
  { create, fill, match, leave }: FixOptions,
  stream: string,
): ((mapping: WizardMapping) => WizardMapping) | null => {
  switch (kind) {
    case "person":
      return personId === null ? null : setRest({ unmatched: "default", defaultId: personId });
    case "create":
      return create.some(({ key }) => key === field) && field !== null
        ? setField(stream, field, { as: "create" })
        : null;
    case "fill": {
      const to = fill.find(({ key }) => key === field);
      const isWrong = value.trim() === "" || (to?.type === "number" && !Number.isFinite(Number(value)));
      return to && !isWrong ? setFill(stream, to.key, typed(to, value.trim())) : null;
    }
    case "match": {
      const from = match.find(({ key }) => key === field);
      const to = from?.known.find((each) => each.value === value);
      return from && to
        ? setWord(stream, from.field, from.word, { to: to.value, kind: to.kind ?? null })
        : null;
    }
    case "leave":
      return leave.some(({ key }) => key === field) && field !== null
        ? setField(stream, field, { as: "nothing" })
        : null;
    case null:
      return null;
  }
};
