import type { Cursor } from "@portage/connector-kit";
import type { Candidate } from "./candidate.ts";
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
  /** Where parts begin that are still to be looked into. */
  parts: Cursor[];
  /** Ids of what the stream is read by, still to be looked into. */
  parents: string[];
  /** The last change that was seen. */
  latest: string | null;
  hops: number;
  pages: number;
  /** Nothing that was read was passed over. */
  all: boolean;
}

export interface SearchPlace {
  readonly stream: string;
  cursor: Cursor | null;
  seen: number;
  ended: boolean;
}

/** What belongs to one record, still to be read. */
export interface Expansion {
  readonly stream: string;
  readonly owner: { readonly stream: string; readonly id: string };
  cursor: Cursor | null;
  taken: number;
}

/** By `stream/id`. In maps: an id may be any text, also one that means something to an object. */
export interface Closure {
  /** The sample, as far as it was read. */
  readonly records: Map<string, Why>;
  /** What is still to be read. `part`: chosen, or belonging to what was; its texts are followed too. */
  readonly toRead: Map<string, "part" | "needed">;
  /** Parts whose own parts are, or are about to be, read. */
  readonly expanded: Set<string>;
  toExpand: Expansion[];
  /** References that were not followed, since the sample is full. */
  left: number;
  /** Owners that have more parts than a sample takes: `stream/id stream`. */
  cut: string[];
}

/** Where the choice of a sample has got to: it goes on from here, however many chunks it takes. Sealed when kept. */
export interface ChooseWork {
  /** The run that this is for; another one begins anew. */
  readonly runNumber: number;
  /** What people added, still to be read. */
  toAdd: { readonly stream: string; readonly id: string }[];
  readonly candidates: Map<string, Candidate>;
  readonly roots: RootPlace[];
  readonly searches: SearchPlace[];
  /** Of streams that were searched: ids of what belongs to whom. */
  readonly noted: Map<string, Map<string, string[]>>;
  /** Streams and owners still to be asked for what belongs to them; null: not decided yet. */
  peeks: { readonly stream: string; readonly owners: { stream: string; id: string }[] }[] | null;
  peeked: number;
  /** Of the main stream: how many could have been asked. */
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

/** Maps and sets as lists that say what they are. */
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
