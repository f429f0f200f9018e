import type {
  WizardFieldChoice,
  WizardFieldSuggestion,
  WizardFieldType,
  WizardSourceField,
  WizardStreamFacts,
} from "@portage/contract/wizard";
import type { ConfidenceName } from "../../matching/confidence.tsx";
import type { ReadyMatching } from "../../matching/matching-store.ts";
import { confidenceOf, fieldIn } from "./field-choice.ts";
import { touchKey } from "../../matching/use-touched.ts";

export interface FieldOfStream {
  readonly field: WizardSourceField;
  readonly suggestion: WizardFieldSuggestion | undefined;
  readonly choice: WizardFieldChoice | undefined;
  readonly confidence: ConfidenceName;
  /** The destination types that can hold its values. */
  readonly fits: readonly WizardFieldType[];
}

/** A stream's fields with the decision for each. */
export const fieldRows = (
  { mapping, facts }: ReadyMatching,
  stream: WizardStreamFacts,
  touched: ReadonlySet<string>,
): readonly FieldOfStream[] => {
  const suggestions = new Map(stream.suggestions.fields.map((each) => [each.key, each]));
  return stream.sourceFields.map((field) => {
    const suggestion = suggestions.get(field.key);
    const choice = fieldIn(mapping, stream.name, field.key);
    const isTouched = touched.has(touchKey(stream.name, field.key));
    return {
      field,
      suggestion,
      choice,
      fits: facts.fits[field.type],
      confidence: confidenceOf(suggestion, choice, isTouched),
    };
  });
};

const ranks: readonly ConfidenceName[] = ["open", "likely", "new", "note", "exact", "chosen"];

/** Open fields first. Returns keys, so that rows keep their position while the customer chooses. */
export const orderOf = (rows: readonly FieldOfStream[]): readonly string[] =>
  rows
    .toSorted((a, b) => ranks.indexOf(a.confidence) - ranks.indexOf(b.confidence))
    .map(({ field }) => field.key);

/** By destination field key: the label of the source field that fills it. */
export const takenBy = (rows: readonly FieldOfStream[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(({ field, choice }) => (choice?.as === "field" ? [[choice.to, field.label]] : [])));
