import type { FieldOption } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { SeenWord } from "../model/facts.ts";
import { folded } from "../model/fold.ts";
import { likelyKind, nearKinds } from "./word-kinds.ts";

export interface WordSuggestion {
  readonly word: string;
  /** The destination's word; null: the source's word stays, and the new tool interprets it. */
  readonly to: string | null;
  /** The new meaning; null: as before. */
  readonly kind: string | null;
  readonly confidence: number;
  readonly why: string;
}

export interface WordsToMatch {
  readonly family: Family;
  readonly field: string;
  readonly seen: readonly SeenWord[];
  /** Undefined: the destination takes any word. */
  readonly known: readonly FieldOption[] | undefined;
}

/** A text of signs only has no letters to compare. */
const sounds = (a: string, b: string) => folded(a) !== "" && folded(a) === folded(b);

export const suggestWords = ({ family, field, seen, known }: WordsToMatch): readonly WordSuggestion[] => {
  if (known === undefined || known.length === 0) return [];
  const kindOf = ({ kind, label, value }: FieldOption) =>
    kind ?? likelyKind(family, field, label) ?? likelyKind(family, field, value);
  const meanings = known.map((word) => ({ word, kind: kindOf(word) }));
  const firstOf = (kind: string | null) =>
    kind === null ? undefined : meanings.find((each) => each.kind === kind)?.word;

  const suggest = ({ word, kind }: SeenWord): WordSuggestion => {
    const answer = (to: FieldOption, confidence: number, why: string): WordSuggestion => ({
      word,
      to: to.value,
      kind: kindOf(to),
      confidence,
      why,
    });
    const same =
      known.find(({ value }) => value === word) ??
      known.find(({ value, label }) => [value, label].some((each) => sounds(each, word)));
    if (same) return answer(same, 1, "Same word.");
    const meant = firstOf(kind);
    if (meant) return answer(meant, 0.8, "Means the same.");
    const near = kind === null ? undefined : nearKinds(field, kind).map(firstOf).find(Boolean);
    if (near) return answer(near, 0.6, "The nearest that the new tool has.");
    return { word, to: null, kind: null, confidence: 0, why: "The new tool has no such word." };
  };
  return seen.filter(({ word }) => word !== "").map(suggest);
};
