import type { CreatableFields, CustomField, Person, FieldOption } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { peopleStreamOf } from "./word-fields.ts";

/** What a suggestion rests on, or what prevents one. `_here`: in the old tool, `_there`: in the new one. */
export type PersonWhy =
  | "same_email"
  | "same_name_single_word"
  | "same_name_no_email"
  | "same_name_other_domain"
  | "same_name_other_email"
  | "same_name_taken"
  | "email_several_there"
  | "email_several_here"
  | "email_deactivated"
  | "name_several_there"
  | "name_several_here"
  | "name_deactivated"
  | "nobody";

export type PersonSuggestion =
  | { readonly kind: "match"; readonly id: string; readonly confidence: number; readonly why: PersonWhy }
  /** Several people are possible: the customer decides. */
  | { readonly kind: "unsure"; readonly candidates: readonly string[]; readonly why: PersonWhy }
  | { readonly kind: "none"; readonly why: PersonWhy };

/** A word that the source's records hold. */
export interface SeenWord {
  readonly word: string;
  /** What it means there, in the words of `statusKind` or `priorityKind`. */
  readonly kind: string | null;
  readonly count: number;
}

/** A custom field of the source, and in how many of the inspected records it holds a value. */
export interface SourceField extends CustomField {
  readonly used: number;
  /** A few of its values, shortened, by which people recognise it. Facts from before this field existed have none. */
  readonly samples?: readonly string[];
}

export interface StreamFacts {
  readonly name: string;
  /** Whether the source can read it and the destination can write it. */
  readonly readable: boolean;
  readonly writable: boolean;
  /** How many records were inspected for words and used fields; `all`: there are no others. */
  readonly looked: number;
  readonly all: boolean;
  readonly sourceFields: readonly SourceField[];
  readonly destinationFields: readonly CustomField[];
  /** Which fields the destination can get. Absent: it does not say, or the facts are from before this was asked. */
  readonly creatable?: CreatableFields;
  /** By field: the words in use, the most frequent first. */
  readonly words: Readonly<Record<string, readonly SeenWord[]>>;
  /** By field: the words that the destination knows; an absent field takes any. */
  readonly destinationWords: Readonly<Record<string, readonly FieldOption[]>>;
}

export interface SourcePersonFacts {
  readonly person: Person;
  readonly suggestion: PersonSuggestion;
}

/** All that a mapping is made from and checked against, as the two tools reported it. */
export interface Facts {
  readonly family: Family;
  /** In the order of copying. */
  readonly streams: readonly StreamFacts[];
  readonly people: {
    readonly source: readonly SourcePersonFacts[];
    readonly destination: readonly Person[];
    /** False: there are more than are kept; people not in the list count as unmatched. */
    readonly complete: boolean;
  };
  /** What a tool refused to answer, in whole sentences. */
  readonly notes: readonly string[];
}

/** The streams that can move. */
export const movable = ({ streams }: Facts): readonly StreamFacts[] =>
  streams.filter(({ readable, writable }) => readable && writable);

/** Whether people can be written as records, besides being matched. */
export const canCopyPeople = (facts: Facts): boolean =>
  movable(facts).some(({ name }) => name === peopleStreamOf(facts.family).name);
