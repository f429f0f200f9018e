import { atKey, candidateKey } from "./candidate.ts";
import type { ChooseWork } from "./choose-work.ts";
import type { Facet } from "./facets.ts";
import type { SourceReader } from "./source-reader.ts";

/** A limit of the choice or of the sample's size. */
export type SampleLimit =
  /** Only this many records of a stream were read; there are more. */
  | { readonly kind: "looked_at"; readonly stream: string; readonly records: number }
  /** Only this many were read with their parts, so a longer thread or a larger file may exist elsewhere. */
  | { readonly kind: "peeked_at"; readonly stream: string; readonly records: number }
  /** The tool can't list its records by parent, and only this many were searched: some may be missing. */
  | { readonly kind: "searched"; readonly stream: string; readonly records: number }
  /** It has more of these than a sample takes. */
  | {
      readonly kind: "cut";
      readonly of: { readonly stream: string; readonly id: string };
      readonly stream: string;
    }
  /** This many references lead to records that the sample has no space for. */
  | { readonly kind: "full"; readonly left: number };

/** What a sample shows, and what it does not. */
export interface SampleCoverage {
  readonly chosen: readonly {
    readonly stream: string;
    readonly id: string;
    /** Null: it has none, or is gone by now. */
    readonly title: string | null;
    readonly covers: readonly Facet[];
  }[];
  /** How many facets were seen, and those that the sample does not show. */
  readonly seen: number;
  readonly missed: readonly Facet[];
  readonly limits: readonly SampleLimit[];
}

const maxMissedReported = 200;

export const coverageOf = (
  work: ChooseWork,
  { layout, find }: SourceReader,
  searched: number,
): SampleCoverage => {
  const { choice, closure } = work;
  const main = layout.main ?? "";
  const asksEach = layout.childrenOf(main).some(({ name }) => {
    const source = find(name);
    return source?.perParent === main || source?.readByParents !== undefined;
  });
  const limits: SampleLimit[] = [
    ...work.roots
      .filter(({ all, cursor }) => !all || cursor !== null)
      .map(({ stream, taken }) => ({ kind: "looked_at" as const, stream, records: taken })),
    ...(asksEach && work.peeked < work.mainSeen
      ? [{ kind: "peeked_at" as const, stream: main, records: work.peeked }]
      : []),
    ...work.searches
      .filter(({ ended, seen }) => !ended && seen >= searched)
      .map(({ stream, seen }) => ({ kind: "searched" as const, stream, records: seen })),
    ...(closure?.cut ?? []).map((entry) => {
      const end = entry.lastIndexOf(" ");
      return { kind: "cut" as const, of: atKey(entry.slice(0, end)), stream: entry.slice(end + 1) };
    }),
    ...(closure && closure.left > 0 ? [{ kind: "full" as const, left: closure.left }] : []),
  ];
  return {
    chosen: (choice?.chosen ?? []).map(({ stream, id, covers }) => ({
      stream,
      id,
      title: closure?.titles?.get(candidateKey({ stream, id })) ?? null,
      covers,
    })),
    seen: choice?.seen ?? 0,
    missed: (choice?.missed ?? []).slice(0, maxMissedReported),
    limits,
  };
};
