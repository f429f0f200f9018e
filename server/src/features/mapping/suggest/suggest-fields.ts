import type { CustomField } from "@portage/connector-kit";
import {
  type Likeness,
  type LikenessWhy,
  likenessOf,
  type ComparableField,
  prepare,
} from "./field-likeness.ts";

/** From this confidence on a suggestion applies, unless the customer decides otherwise. */
export const acceptedFrom = 0.7;

export interface FieldCandidate extends Likeness {
  readonly key: string;
}

export type FieldWhy =
  | LikenessWhy
  /** These two fit equally well. */
  | { readonly kind: "two"; readonly labels: readonly [string, string] }
  | { readonly kind: "none" };

export interface FieldSuggestion {
  /** The key of the source's field. */
  readonly key: string;
  /** The key of the suggested field of the destination; null: the customer must choose, or there is none. */
  readonly to: string | null;
  readonly confidence: number;
  readonly why: FieldWhy;
  /** The most likely first. */
  readonly candidates: readonly FieldCandidate[];
}

interface Pair extends Likeness {
  readonly source: string;
  readonly destination: string;
}

/** A smaller difference does not decide between two. */
const tie = 0.05;
const maxCandidates = 3;

const order = (a: Pair, b: Pair): number => {
  if (a.confidence !== b.confidence) return b.confidence - a.confidence;
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return a.destination < b.destination ? -1 : 1;
};

const pairsOf = (
  source: readonly ComparableField[],
  destination: readonly ComparableField[],
): readonly Pair[] => {
  const pairs: Pair[] = [];
  for (const a of source)
    for (const b of destination) {
      const likeness = likenessOf(a, b);
      if (likeness) pairs.push({ ...likeness, source: a.field.key, destination: b.field.key });
    }
  return pairs.toSorted(order);
};

const groupBy = (pairs: readonly Pair[], side: "source" | "destination"): ReadonlyMap<string, Pair[]> =>
  Map.groupBy(pairs, (pair) => pair[side]);

/** Which field of the destination each of the source's is; no two share a target. */
export const suggestFields = (
  source: readonly CustomField[],
  destination: readonly CustomField[],
): readonly FieldSuggestion[] => {
  const labels = new Map(destination.map(({ key, label }) => [key, label]));
  const pairs = pairsOf(source.map(prepare), destination.filter(({ writable }) => writable).map(prepare));
  const bySource = groupBy(pairs, "source");
  const byDestination = groupBy(pairs, "destination");
  const chosen = new Map<string, Pair>();
  const taken = new Set<string>();

  const rivalOf = (pair: Pair): Pair | undefined =>
    [...(bySource.get(pair.source) ?? []), ...(byDestination.get(pair.destination) ?? [])].find(
      (other) =>
        other !== pair &&
        other.confidence > pair.confidence - tie &&
        !taken.has(other.destination) &&
        !chosen.has(other.source),
    );

  for (const pair of pairs) {
    if (pair.confidence < acceptedFrom) break;
    if (chosen.has(pair.source) || taken.has(pair.destination) || rivalOf(pair)) continue;
    chosen.set(pair.source, pair);
    taken.add(pair.destination);
  }

  return source.map(({ key }) => {
    const pair = chosen.get(key);
    const candidates = (bySource.get(key) ?? [])
      .filter(({ destination: to }) => !taken.has(to) || to === pair?.destination)
      .slice(0, maxCandidates)
      .map(({ destination: to, confidence, why }) => ({ key: to, confidence, why }));
    if (pair) return { key, to: pair.destination, confidence: pair.confidence, why: pair.why, candidates };
    const [best, second] = candidates;
    if (!best) return { key, to: null, confidence: 0, why: { kind: "none" }, candidates };
    const labelOf = (to: string) => labels.get(to) ?? to;
    const why: FieldWhy =
      second && second.confidence > best.confidence - tie
        ? { kind: "two", labels: [labelOf(best.key), labelOf(second.key)] }
        : best.why;
    return { key, to: null, confidence: Math.min(best.confidence, 0.5), why, candidates };
  });
};
