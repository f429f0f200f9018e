import { type FamilyRecord, type FamilyStream, referencesOf } from "@portage/connector-kit";
import { facetKey, facetsOf, textLengthOf } from "./facets.ts";

/** What is kept of a record that may be chosen: what it would show, not its content. */
export interface SampleCandidate {
  readonly stream: string;
  readonly id: string;
  /** Keys of facets: its own, and those of its parts as far as seen. */
  readonly facets: readonly string[];
  /** `stream/id` of its targets, which would come with it. */
  readonly brings: readonly string[];
  readonly createdAt: string | null;
  readonly textLength: number;
  /** How many of its parts were seen, and the largest file among them. */
  readonly children: number;
  readonly largestFile: number;
  /** A person asked for it: it is always taken. */
  readonly added: boolean;
}

export const candidateKey = ({ stream, id }: { readonly stream: string; readonly id: string }): string =>
  `${stream}/${id}`;

/** The inverse: stream names have no slash, ids may. */
export const atKey = (key: string): { readonly stream: string; readonly id: string } => {
  const end = key.indexOf("/");
  return { stream: key.slice(0, end), id: key.slice(end + 1) };
};

const maxReferences = 50;

const sizeOf = (record: FamilyRecord): number => {
  const { size } = record as unknown as { size?: unknown };
  return typeof size === "number" ? size : 0;
};

export const candidateOf = (stream: FamilyStream, record: FamilyRecord, added = false): SampleCandidate => ({
  stream: stream.name,
  id: record.id,
  facets: facetsOf(stream, record).map(facetKey),
  brings: [...new Set(referencesOf(stream, record).map(candidateKey))].slice(0, maxReferences),
  createdAt: record.createdAt,
  textLength: textLengthOf(record),
  children: 0,
  largestFile: stream.kind === "file" ? sizeOf(record) : 0,
  added,
});

/** The candidate with one of its parts added. */
export const withChild = (
  candidate: SampleCandidate,
  stream: FamilyStream,
  record: FamilyRecord,
): SampleCandidate => ({
  ...candidate,
  facets: [...new Set([...candidate.facets, ...facetsOf(stream, record).map(facetKey)])],
  textLength: Math.max(candidate.textLength, textLengthOf(record)),
  children: candidate.children + 1,
  largestFile: Math.max(candidate.largestFile, stream.kind === "file" ? sizeOf(record) : 0),
});
