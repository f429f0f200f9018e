import type { Compared } from "../../tools/stand-in/compare.ts";
import type { ToldRow } from "../../tools/stand-in/control-client.ts";

/** A row of a real tool, with the marks that identify its original. */
export interface Copy {
  /** The key that the import gave it. */
  readonly key: string | null;
  /** The source row whose number is in the copied text. */
  readonly sourceId: string | null;
  readonly text: string;
  readonly madeAt: number;
}

const maxNamed = 20;
const editTag = /^edit-\d+$/;

/** The source adds a tag to each row that it edits; an up-to-date copy has the tag in its last line. */
const isStale = ({ tags }: ToldRow, { text }: Copy) =>
  text !== "" && tags.some((tag) => editTag.test(tag) && !new RegExp(`${tag}(?!\\d)`).test(text));

/** Compares one stream of the source with its copies, identified both by key and by the row number in their text. */
export const compareCopies = (
  rows: readonly ToldRow[],
  copies: readonly Copy[],
  before: number | null,
): Compared => {
  const bySource = new Map(rows.map((row) => [row.id, row]));
  const keys = new Set<string>();
  const sources = new Set<string>();
  const named = { missing: [] as string[], doubled: [] as string[], differing: [] as string[] };
  const count = { written: 0, missing: 0, doubled: 0, gone: 0, stale: 0, differing: 0 };
  const note = (what: keyof typeof named, id: string) => {
    count[what] += 1;
    if (named[what].length < maxNamed) named[what].push(id);
  };
  const marked = copies.filter(({ key, sourceId }) => key !== null || sourceId !== null);
  for (const copy of marked) {
    const { key, sourceId } = copy;
    count.written += 1;
    // `find` can't find a copy without its key, and a copy without its row number matches no original.
    if (key === null || sourceId === null) note("differing", sourceId ?? key ?? "");
    if ((key !== null && keys.has(key)) || (sourceId !== null && sources.has(sourceId)))
      note("doubled", sourceId ?? key ?? "");
    if (key !== null) keys.add(key);
    if (sourceId !== null) sources.add(sourceId);
    const row = sourceId === null ? undefined : bySource.get(sourceId);
    if (!row) count.gone += 1;
    else if (isStale(row, copy)) count.stale += 1;
  }
  for (const { id, seenSince } of rows)
    if (!sources.has(id) && (before === null || seenSince < before)) note("missing", id);
  const doubledAt: Record<string, number[]> = {};
  for (const { sourceId, madeAt } of marked)
    if (sourceId !== null && named.doubled.includes(sourceId)) (doubledAt[sourceId] ??= []).push(madeAt);
  return {
    source: rows.length,
    ...count,
    missingIds: named.missing,
    doubledIds: named.doubled,
    doubledAt,
    differingIds: named.differing,
  };
};
