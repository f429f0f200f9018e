import type { CustomField, Person, Word } from "@portage/connector-kit";
import type { Family } from "@portage/contract";

/** What a suggestion rests on, or what is in its way. `_here`: in the old tool, `_there`: in the new one. */
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
  /** More than one could be meant: told, and left to the customer. */
  | { readonly kind: "unsure"; readonly candidates: readonly string[]; readonly why: PersonWhy }
  | { readonly kind: "none"; readonly why: PersonWhy };

/** A word that the source's records hold. */
export interface SeenWord {
  readonly word: string;
  /** What it means there, in the words of `statusKind` or `priorityKind`. */
  readonly kind: string | null;
  readonly count: number;
}

/** A custom field of the source, and in how many of the records that were looked at it holds something. */
export interface SourceField extends CustomField {
  readonly used: number;
  /** A few of its values, shortened, by which people know what it is. Facts that were gathered before have none. */
  readonly samples?: readonly string[];
}

export interface StreamFacts {
  readonly name: string;
  /** Whether the source can read it and the destination can write it. */
  readonly readable: boolean;
  readonly writable: boolean;
  /** How many records were looked at for words and for fields in use; `all`: there are no others. */
  readonly looked: number;
  readonly all: boolean;
  readonly sourceFields: readonly SourceField[];
  readonly destinationFields: readonly CustomField[];
  /** By field: the words in use, the most frequent first. */
  readonly words: Readonly<Record<string, readonly SeenWord[]>>;
  /** By field: the words that the destination knows; a field left out takes any. */
  readonly destinationWords: Readonly<Record<string, readonly Word[]>>;
}

export interface SourcePersonFacts {
  readonly person: Person;
  readonly suggestion: PersonSuggestion;
}

/** All that a mapping is made from and checked against, as the two tools told it. */
export interface Facts {
  readonly family: Family;
  /** In the order in which they are copied. */
  readonly streams: readonly StreamFacts[];
  readonly people: {
    readonly source: readonly SourcePersonFacts[];
    readonly destination: readonly Person[];
    /** False: there are more than are kept; who is not in the list goes the way of the unmatched. */
    readonly complete: boolean;
  };
  /** What a tool did not tell, in whole sentences. */
  readonly notes: readonly string[];
}

/** The streams that can move. */
export const movable = ({ streams }: Facts): readonly StreamFacts[] =>
  streams.filter(({ readable, writable }) => readable && writable);
