import type { CustomField, Person, Word } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { PersonSuggestion } from "./suggest-people.ts";

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
