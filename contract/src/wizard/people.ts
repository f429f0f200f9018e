import type { WizardPersonChoice } from "./mapping.ts";

export interface WizardPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly active: boolean;
}

/** The reason for a suggestion, or against one. `_here`: in the old tool, `_there`: in the new one. */
export type WizardPersonWhy =
  | "same_email"
  | `same_name_${"single_word" | "no_email" | "other_domain" | "other_email" | "taken"}`
  | `${"email" | "name"}_${"several_there" | "several_here" | "deactivated"}`
  | "nobody";

export type WizardPersonSuggestion =
  | {
      readonly kind: "match";
      readonly id: string;
      readonly confidence: number;
      readonly why: WizardPersonWhy;
    }
  | { readonly kind: "unsure"; readonly candidates: readonly string[]; readonly why: WizardPersonWhy }
  | { readonly kind: "none"; readonly why: WizardPersonWhy };

export interface WizardSourcePerson {
  readonly person: WizardPerson;
  readonly suggestion: WizardPersonSuggestion;
  /** The mapping's decision for this person; null: the rule for unmatched people applies. */
  readonly choice: WizardPersonChoice | null;
  /** The chosen person in the destination. */
  readonly chosen: WizardPerson | null;
  /** The people that the suggestion considers. */
  readonly candidates: readonly WizardPerson[];
}

/** `open`: no decision. `chosen`: differs from the suggestion. */
export type WizardShowPeople = "all" | "open" | "decided" | "exact" | "likely" | "chosen";

/** GET /mapping/people?side=source&show=…&search=…&after=…&limit=… */
export interface WizardSourcePeople {
  readonly people: readonly WizardSourcePerson[];
  readonly next: string | null;
}

/** GET /mapping/people?side=destination&search=…&after=…&limit=… */
export interface WizardDestinationPeople {
  readonly people: readonly WizardPerson[];
  readonly next: string | null;
}

/** GET /mapping/people/suggested: the matches that are certain or likely, by the ids of both sides. */
export interface WizardSuggestedPeople {
  readonly matches: readonly (readonly [sourceId: string, destinationId: string])[];
  /** The ids of people in the old tool whose match is likely, but not certain. */
  readonly likely: readonly string[];
}

/** Why a row of a list of people decides nothing. `_here`: in the old tool, `_there`: in the new one. */
export type WizardPeopleFileReason =
  | `${"nobody" | "several"}_${"here" | "there"}`
  | "deactivated_there"
  | `no_${"copies" | "default"}`
  | "twice";

/** The largest body with a list of people: of as many as are listed, each with far more bytes than usual. */
export const maxPeopleFileBytes = 50_000 * 320;

/** POST /mapping/people/file: what a list of people decides. Nothing is saved by it. */
export interface WizardPeopleFile {
  /** What differs from the decisions so far. */
  readonly choices: Readonly<Record<string, WizardPersonChoice>>;
  /** How many rows say what is decided already, or nothing. */
  readonly unchanged: number;
  /** The first of the rows that can't be followed. */
  readonly problems: readonly {
    /** As a spreadsheet counts. */
    readonly row: number;
    readonly value: string;
    readonly reason: WizardPeopleFileReason;
  }[];
  readonly problemCount: number;
}
