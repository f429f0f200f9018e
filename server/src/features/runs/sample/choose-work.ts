import type { Cursor } from "@portage/connector-kit";
import type { SampleCandidate } from "./candidate.ts";
import type { Choice } from "./choose-sample.ts";

export type Why = "chosen" | "needed" | "added";

/** How far the candidates of one stream have been read. */
export interface RootPlace {
  readonly stream: string;
  /** How many are wanted. */
  readonly quota: number;
  stage: "parents" | "head" | "parts" | "recent" | "rest" | "done";
  taken: number;
  cursor: Cursor | null;
  /** Cursors of parts still to be read. */
  parts: Cursor[];
  /** Ids of parents still to be read. */
  parents: string[];
  /** The latest change seen. */
  latest: string | null;
  hops: number;
  pages: number;
  /** No record that was read was left out. */
  all: boolean;
}

export interface SearchPlace {
  readonly stream: string;
  cursor: Cursor | null;
  seen: number;
  ended: boolean;
}

/** The parts of one record, still to be read. */
export interface Expansion {
  readonly stream: string;
  readonly owner: { readonly stream: string; readonly id: string };
  cursor: Cursor | null;
  taken: number;
}

/** By `stream/id`. In maps: an id may be any text, even the name of an object's property. */
export interface Closure {
  /** The sample, as far as it was read. */
  readonly records: Map<string, Why>;
  /** Still to be read. `part`: chosen, or belonging to a chosen record; its text references are followed too. */
  readonly toRead: Map<string, "part" | "needed">;
  /** Parts whose own parts are, or are about to be, read. */
  readonly expanded: Set<string>;
  toExpand: Expansion[];
  /** References that were not followed, since the sample is full. */
  left: number;
  /** Owners with more parts than a sample takes: `stream/id stream`. */
  cut: string[];
  /** Of chosen records, as far as read. Missing in work that an earlier release stored. */
  readonly titles?: Map<string, string>;
}

/** The progress of the choice of a sample: it resumes from here, however many chunks it takes. Sealed when stored. */
export interface ChooseWork {
  /** The run that this belongs to; another run starts over. */
  readonly runNumber: number;
  /** Records that people added, still to be read. */
  toAdd: { readonly stream: string; readonly id: string }[];
  readonly candidates: Map<string, SampleCandidate>;
  readonly roots: RootPlace[];
  readonly searches: SearchPlace[];
  /** Of searched streams: ids of parts, by owner. */
  readonly noted: Map<string, Map<string, string[]>>;
  /** Streams and owners whose parts are still to be read; null: not decided yet. */
  peeks: { readonly stream: string; readonly owners: { stream: string; id: string }[] }[] | null;
  peeked: number;
  /** Of the main stream: how many could have been read with their parts. */
  mainSeen: number;
  choice: Choice | null;
  closure: Closure | null;
}

export const newWork = (runNumber: number): ChooseWork => ({
  runNumber,
  toAdd: [],
  candidates: new Map(),
  roots: [],
  searches: [],
  noted: new Map(),
  peeks: null,
  peeked: 0,
  mainSeen: 0,
  choice: null,
  closure: null,
});

const mark = "\u0000";

/** Maps and sets as tagged lists. */
export const workToText = (work: ChooseWork): string =>
  JSON.stringify(work, (_, value: unknown) => {
    if (value instanceof Map) return [`${mark}map`, ...value];
    return value instanceof Set ? [`${mark}set`, ...value] : value;
  });

export const workFromText = (text: string): ChooseWork =>
  JSON.parse(text, (_, value: unknown) => {
    if (!Array.isArray(value)) return value;
    const [kind, ...rest] = value as unknown[];
    if (kind === `${mark}map`) return new Map(rest as [unknown, unknown][]);
    return kind === `${mark}set` ? new Set(rest) : value;
  }) as ChooseWork;
