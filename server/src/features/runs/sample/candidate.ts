import { type FamilyRecord, type FamilyStream, referencesOf } from "@portage/connector-kit";
import { facetKey, facetsOf, textLengthOf } from "./facets.ts";

/** All that is remembered of a record that may be chosen: what it would show, not what it says. */
export interface Candidate {
  readonly stream: string;
  readonly id: string;
  /** Keys of facets: its own, and those of what belongs to it as far as that was seen. */
  readonly facets: readonly string[];
  /** `stream/id` of what it points to, which would come with it. */
  readonly brings: readonly string[];
  readonly createdAt: string | null;
  readonly textLength: number;
  /** How many records that belong to it were seen, and the largest file among them. */
  readonly children: number;
  readonly largestFile: number;
  /** A person asked for it: it is taken in any case. */
  readonly added: boolean;
}

export const keyOf = ({ stream, id }: { readonly stream: string; readonly id: string }): string =>
  `${stream}/${id}`;

/** The other way round: streams have no slash in their names, ids may. */
export const atKey = (key: string): { readonly stream: string; readonly id: string } => {
  const end = key.indexOf("/");
  return { stream: key.slice(0, end), id: key.slice(end + 1) };
};

const mostBrought = 50;

const sizeOf = (record: FamilyRecord): number => {
  const { size } = record as unknown as { size?: unknown };
  return typeof size === "number" ? size : 0;
};

export const candidateOf = (stream: FamilyStream, record: FamilyRecord, added = false): Candidate => ({
  stream: stream.name,
  id: record.id,
  facets: facetsOf(stream, record).map(facetKey),
  brings: [...new Set(referencesOf(stream, record).map(keyOf))].slice(0, mostBrought),
  createdAt: record.createdAt,
  textLength: textLengthOf(record),
  children: 0,
  largestFile: stream.kind === "file" ? sizeOf(record) : 0,
  added,
});

/** The candidate with something that belongs to it. */
export const withChild = (candidate: Candidate, stream: FamilyStream, record: FamilyRecord): Candidate => ({
  ...candidate,
  facets: [...new Set([...candidate.facets, ...facetsOf(stream, record).map(facetKey)])],
  textLength: Math.max(candidate.textLength, textLengthOf(record)),
  children: candidate.children + 1,
  largestFile: Math.max(candidate.largestFile, stream.kind === "file" ? sizeOf(record) : 0),
});
