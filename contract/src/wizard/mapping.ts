import type { Family } from "../families.ts";
import type { WizardSelection } from "./choosing.ts";

export type WizardPersonChoice =
  | { readonly to: "person"; readonly id: string }
  | { readonly to: "copy" | "default" | "nobody" };

export type WizardFieldChoice =
  | { readonly as: "field"; readonly to: string; readonly options: Readonly<Record<string, string | null>> }
  /** `create`: the destination gets a field of this name and type before anything is copied. */
  | { readonly as: "create" | "note" | "nothing" };

/** Whether the destination can get a field like a source field. */
export type WizardCreation =
  | { readonly kind: "possible" }
  /** `why`: the tool's own explanation, and who can add such a field instead; null: it has none. */
  | { readonly kind: "type" | "none"; readonly why: string | null }
  /** Another field has this name. */
  | { readonly kind: "name_taken" };

export interface WizardWordChoice {
  /** The destination's option; null: left empty. */
  readonly to: string | null;
  readonly kind: string | null;
}

export type WizardFieldType =
  | ("text" | "long-text" | "number" | "boolean" | "date" | "moment")
  | ("choice" | "choices" | "person" | "link");

export interface WizardFieldShape {
  readonly label: string;
  readonly type: WizardFieldType;
  readonly options: readonly { readonly value: string; readonly label: string }[] | null;
  readonly maxLength: number | null;
}

export interface WizardStreamMapping {
  readonly fields: Readonly<Record<string, WizardFieldChoice>>;
  readonly words: Readonly<Record<string, Readonly<Record<string, WizardWordChoice>>>>;
  readonly fills: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
  readonly source: Readonly<Record<string, WizardFieldShape>>;
  readonly destination: Readonly<Record<string, WizardFieldShape>>;
}

/** The customer's decisions. PUT it back with the changes. */
export interface WizardMapping {
  readonly selection: WizardSelection;
  readonly people: {
    readonly choices: Readonly<Record<string, WizardPersonChoice>>;
    readonly unmatched: "copy" | "default" | "nobody";
    readonly defaultId: string | null;
  };
  readonly streams: Readonly<Record<string, WizardStreamMapping>>;
}

export interface WizardCustomField {
  readonly key: string;
  readonly label: string;
  readonly type: WizardFieldType;
  readonly required: boolean;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly maxLength?: number;
  readonly writable: boolean;
}

/** What two fields have in common: their names, types and list values. */
export interface WizardFieldLikeness {
  readonly kind: "alike";
  /** Null: only their values match. */
  readonly name: "same" | "nearly" | "similar" | null;
  readonly from: WizardFieldType;
  readonly to: WizardFieldType;
  readonly values: { readonly same: number; readonly total: number } | null;
}

export type WizardFieldWhy =
  | WizardFieldLikeness
  /** Ambiguous: both of these two match. */
  | { readonly kind: "two"; readonly labels: readonly [string, string] }
  | { readonly kind: "none" };

/** The suggested destination field for a source field. */
export interface WizardFieldSuggestion {
  readonly key: string;
  /** Null: the customer must choose, or there is none. */
  readonly to: string | null;
  /** From 0 to 1; 1: same name and kind. */
  readonly confidence: number;
  readonly why: WizardFieldWhy;
  /** The most likely first. */
  readonly candidates: readonly {
    readonly key: string;
    readonly confidence: number;
    readonly why: WizardFieldLikeness;
  }[];
}

export interface WizardWordSuggestion {
  readonly word: string;
  /** Null: sent unchanged, and the new tool uses what it can. */
  readonly to: string | null;
  readonly kind: string | null;
  readonly confidence: number;
  readonly why: string;
}

export interface WizardSourceField extends WizardCustomField {
  /** The number of inspected records in which the field has a value. */
  readonly used: number;
  /** A few of its values, shortened; left out if they were not collected. */
  readonly samples?: readonly string[];
  readonly creation: WizardCreation;
}

export interface WizardStreamFacts {
  readonly name: string;
  /** "Tickets". */
  readonly label: string;
  readonly readable: boolean;
  readonly writable: boolean;
  readonly looked: number;
  readonly all: boolean;
  readonly sourceFields: readonly WizardSourceField[];
  readonly destinationFields: readonly WizardCustomField[];
  /** By field: the options in use, the most frequent first. */
  readonly words: Readonly<
    Record<string, readonly { readonly word: string; readonly kind: string | null; readonly count: number }[]>
  >;
  /** By field: the destination's options; a field left out accepts any value. */
  readonly destinationWords: Readonly<
    Record<string, readonly { readonly value: string; readonly label: string; readonly kind?: string }[]>
  >;
  readonly suggestions: {
    readonly fields: readonly WizardFieldSuggestion[];
    /** By field; without fields for which the destination accepts any value. */
    readonly words: Readonly<Record<string, readonly WizardWordSuggestion[]>>;
  };
}

/** GET /mapping; 409 until POST /mapping/facts has gathered the facts. */
export interface WizardMatching {
  /** 0: no decision yet. */
  readonly revision: number;
  readonly mapping: WizardMapping;
  /** Only before the first decision. */
  readonly suggested?: WizardMapping;
  readonly facts: {
    readonly family: Family;
    readonly streams: readonly WizardStreamFacts[];
    readonly people: {
      readonly source: number;
      readonly destination: number;
      readonly complete: boolean;
      /** The number of people with a match by email, and by weaker evidence. */
      readonly exact: number;
      readonly likely: number;
      /** Whether the destination can create them as people. */
      readonly canCopy: boolean;
    };
    /** By the type of a source's field: the types of a destination's field that can hold its values. */
    readonly fits: Readonly<Record<WizardFieldType, readonly WizardFieldType[]>>;
    readonly notes: readonly string[];
  };
}

/** POST /mapping/facts: 200 when gathered, 202 while gathering. */
export interface WizardGathered {
  readonly gathered: boolean;
}

/** PUT /mapping */
export interface WizardSaveMapping {
  /** The revision that this change is based on. */
  readonly based: number;
  readonly mapping: WizardMapping;
}

export interface WizardMappingProblem {
  readonly path: readonly string[];
  readonly message: string;
}

export interface WizardSavedMapping {
  readonly revision: number;
  readonly warnings: readonly WizardMappingProblem[];
}

/** 422 of PUT /mapping and POST /mapping/preview: `body` of the problem `invalid`. */
export interface WizardMappingRefused {
  readonly problems: readonly WizardMappingProblem[];
}

/** Comes with the 409 of PUT /mapping: `current` of the problem `refused`. */
export interface WizardMappingCurrent {
  readonly revision: number;
  readonly mapping: WizardMapping;
}
