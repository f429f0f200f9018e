import { type SampleCandidate, candidateKey } from "./candidate.ts";
import { cover } from "./cover.ts";
import { type Facet, facetKey, facetOf, isWordFacet } from "./facets.ts";

export interface ChoiceOptions {
  /** How many are chosen; records that people added come on top. */
  readonly limit: number;
  /** The stream that most people look at: its facets come first, and its records fill the rest of the limit. */
  readonly main: string;
}

export interface ChosenRecord {
  readonly stream: string;
  readonly id: string;
  readonly why: "chosen" | "added";
  /** What it is in the sample for: what no earlier record shows. */
  readonly covers: readonly Facet[];
}

export interface Choice {
  readonly chosen: readonly ChosenRecord[];
  /** How many facets the candidates have. */
  readonly seen: number;
  /** Facets that none of the chosen shows. */
  readonly missed: readonly Facet[];
}

/** More words than a person would set up: the field holds texts, not words. */
const maxWords = 40;

const extremes: Readonly<Record<string, (candidate: SampleCandidate) => number | null>> = {
  oldest: ({ createdAt }) => (createdAt === null ? null : -Date.parse(createdAt)),
  newest: ({ createdAt }) => (createdAt === null ? null : Date.parse(createdAt)),
  longest_text: ({ textLength }) => textLength || null,
  longest_thread: ({ children }) => children || null,
  largest_file: ({ largestFile }) => largestFile || null,
};

/** Which extremes a candidate of the main stream is; equal ones are interchangeable. */
const extremesOf = (candidates: readonly SampleCandidate[], main: string) => {
  const own = candidates.filter(({ stream }) => stream === main);
  const highest = Object.entries(extremes).map(([value, measure]) => {
    const most = Math.max(...own.map((each) => measure(each) ?? Number.NEGATIVE_INFINITY));
    return { key: facetKey({ stream: main, about: "extreme", value }), measure, most };
  });
  return (candidate: SampleCandidate): readonly string[] =>
    candidate.stream === main
      ? highest.filter(({ measure, most }) => measure(candidate) === most).map(({ key }) => key)
      : [];
};

/** The facets whose field really is a list of words. */
const onlyWords = (candidates: readonly SampleCandidate[]) => {
  const values = new Map<string, Set<string>>();
  const fieldOf = (key: string) => {
    const { stream, about } = facetOf(key);
    return isWordFacet(about) ? `${stream} ${about}` : null;
  };
  for (const key of new Set(candidates.flatMap(({ facets }) => facets))) {
    const field = fieldOf(key);
    if (field !== null) values.set(field, (values.get(field) ?? new Set()).add(key));
  }
  return (key: string) => {
    const field = fieldOf(key);
    return field === null || (values.get(field)?.size ?? 0) <= maxWords;
  };
};

const byKey = (a: SampleCandidate, b: SampleCandidate) => (candidateKey(a) < candidateKey(b) ? -1 : 1);

const newestFirst = (a: SampleCandidate, b: SampleCandidate) =>
  (b.createdAt ?? "").localeCompare(a.createdAt ?? "") || byKey(a, b);

/**
 * Chooses a small set that shows as many facets of the candidates as possible, each with what comes along.
 * Deterministic for the same candidates, in any order.
 */
export const chooseSample = (given: readonly SampleCandidate[], { limit, main }: ChoiceOptions): Choice => {
  const candidates = [...new Map(given.map((each) => [candidateKey(each), each])).values()].toSorted(byKey);
  const isUsed = onlyWords(candidates);
  const extremeOf = extremesOf(candidates, main);
  const own = new Map(
    candidates.map((each) => [candidateKey(each), [...each.facets.filter(isUsed), ...extremeOf(each)]]),
  );
  const shown = candidates.map(
    (each) => new Set([candidateKey(each), ...each.brings].flatMap((key) => own.get(key) ?? [])),
  );
  const keys = [...new Set(shown.flatMap((set) => [...set]))].toSorted();
  const numbers = new Map(keys.map((key, index) => [key, index]));
  const sets = shown.map((set) => new Set([...set].map((key) => numbers.get(key) ?? -1)));
  const weights = keys.map((key) => (facetOf(key).stream === main ? 2 : 1));
  const added = candidates.flatMap((each, index) => (each.added ? [index] : []));
  const most = limit + added.length;
  const taken = [...cover(sets, weights, most, added)];
  const others = candidates.filter(
    (each, index) => each.stream === main && !each.added && !taken.includes(index),
  );
  for (const each of others.toSorted(newestFirst).slice(0, Math.max(0, most - taken.length)))
    taken.push(candidates.indexOf(each));
  const covered = new Set<string>();
  const chosen = taken.flatMap((index): readonly ChosenRecord[] => {
    const candidate = candidates[index];
    if (!candidate) return [];
    const fresh = [...(shown[index] ?? [])].filter((key) => !covered.has(key)).toSorted();
    for (const key of fresh) covered.add(key);
    const { stream, id } = candidate;
    return [{ stream, id, why: candidate.added ? "added" : "chosen", covers: fresh.map(facetOf) }];
  });
  return {
    chosen,
    seen: keys.length,
    missed: keys.filter((key) => !covered.has(key)).map(facetOf),
  };
};
