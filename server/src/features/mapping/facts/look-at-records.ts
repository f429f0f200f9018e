import type { Cursor, CustomFieldType, FamilyRecord, Io, SourceStream } from "@portage/connector-kit";
import type { SeenWord } from "../model/facts.ts";
import { isKey, isWord, toLabel } from "../model/mapping.ts";
import { valueOf, wordFieldsOf } from "../model/word-fields.ts";

export interface LookBounds {
  readonly records: number;
  readonly pages: number;
  /** The maximum of different words of one field. */
  readonly words: number;
}

interface SeenField {
  readonly used: number;
  readonly type: CustomFieldType;
  readonly samples: readonly string[];
}

/** What some records hold; memory is bounded by the number of different words and fields. */
export interface Look {
  readonly looked: number;
  /** Whether these are all records of the stream. */
  readonly all: boolean;
  readonly words: Readonly<Record<string, readonly SeenWord[]>>;
  /** By key: how many records hold it, its type, and a few of its values. */
  readonly fields: ReadonlyMap<string, SeenField>;
  /** A few ids, for the streams that are read per record of this one. */
  readonly ids: readonly string[];
}

const maxIds = 20;

const typeOf = (value: unknown): CustomFieldType => {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return Array.isArray(value) ? "choices" : "text";
};

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

const maxSamples = 3;
const longestSample = 40;

const sampleOf = (value: unknown): string => {
  const text = (Array.isArray(value) ? value.join(", ") : String(value)).replaceAll(/\s+/g, " ").trim();
  const short = text.length > longestSample ? `${text.slice(0, longestSample - 1)}…` : text;
  return toLabel(short);
};

const withSample = (samples: readonly string[], value: unknown): readonly string[] => {
  if (samples.length === maxSamples) return samples;
  const sample = sampleOf(value);
  return sample === "" || samples.includes(sample) ? samples : [...samples, sample];
};

const mostFrequentFirst = (a: SeenWord, b: SeenWord) =>
  b.count - a.count || (a.word === b.word ? 0 : a.word < b.word ? -1 : 1);

/** Counts what each record holds. */
export const createLook = (stream: SourceStream["stream"], bounds: LookBounds) => {
  const wordFields = wordFieldsOf(stream);
  const counts = new Map(wordFields.map(({ field }) => [field, new Map<string, Map<string, number>>()]));
  const fields = new Map<string, SeenField>();
  const ids: string[] = [];
  let looked = 0;

  const countWord = (field: string, word: string, kind: string) => {
    const words = counts.get(field);
    if (!words || !isWord(word)) return;
    const kinds = words.get(word) ?? (words.size < bounds.words ? new Map<string, number>() : null);
    if (kinds === null) return;
    words.set(word, kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
  };

  const add = (record: FamilyRecord): void => {
    looked += 1;
    if (ids.length < maxIds) ids.push(record.id);
    for (const { field, kindField } of wordFields) {
      const word = valueOf(record, field);
      const kind = kindField === null ? null : valueOf(record, kindField);
      countWord(field, typeof word === "string" ? word : "", typeof kind === "string" ? kind : "");
    }
    for (const [key, value] of Object.entries(record.customFields)) {
      if (isEmpty(value) || !isKey(key)) continue;
      const known = fields.get(key);
      if (!known && fields.size >= bounds.words * 10) continue;
      const { used, type, samples } = known ?? { used: 0, type: typeOf(value), samples: [] };
      fields.set(key, { used: used + 1, type, samples: withSample(samples, value) });
    }
  };

  const seenOf = ([word, kinds]: readonly [string, ReadonlyMap<string, number>]): SeenWord => {
    const [kind = ""] = [...kinds]
      .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([name]) => name);
    const count = [...kinds.values()].reduce((sum, each) => sum + each, 0);
    return { word, kind: kind === "" ? null : kind, count };
  };

  const done = (all: boolean): Look => ({
    looked,
    all,
    words: Object.fromEntries(
      [...counts].map(([field, words]) => [field, [...words].map(seenOf).toSorted(mostFrequentFirst)]),
    ),
    fields,
    ids,
  });
  return { add, done };
};

interface Place {
  readonly cursor: Cursor | null;
  readonly parentId: string | null;
}

const maxParts = 5;

/** Where to look: at several positions of a large stream, since old records differ from new ones. */
const placesIn = async (
  source: SourceStream,
  io: Io,
  parentIds: readonly string[],
): Promise<readonly Place[]> => {
  if (source.perParent) return parentIds.map((parentId) => ({ cursor: null, parentId }));
  const parts = (await source.slices?.(io, maxParts)) ?? [];
  return (parts.length > 0 ? parts : [null]).map((cursor) => ({ cursor, parentId: null }));
};

/**
 * Passes records of a stream to `visit`, page by page within the bounds, at several positions of a large one. True: there are no
 * others.
 */
export const visitRecords = async (
  source: SourceStream,
  io: Io,
  parentIds: readonly string[],
  bounds: Pick<LookBounds, "records" | "pages">,
  visit: (record: FamilyRecord) => void,
): Promise<boolean> => {
  const seen = new Set<string>();
  const isFull = () => seen.size >= bounds.records;
  const places = await placesIn(source, io, parentIds);
  const pagesEach = Math.max(1, Math.floor(bounds.pages / Math.max(1, places.length)));
  // Records of unvisited parents stay unseen.
  let all = !source.perParent;
  for (const { cursor: start, parentId } of places) {
    let cursor = start;
    for (let page = 0; ; page += 1) {
      if (page === pagesEach || isFull()) {
        all = false;
        break;
      }
      const { records, next } = await source.readPage(io, { cursor, since: null, parentId });
      for (const record of records) {
        if (seen.has(record.id)) continue;
        if (isFull()) {
          all = false;
          break;
        }
        seen.add(record.id);
        visit(record);
      }
      cursor = next;
      if (cursor === null) break;
    }
  }
  return all;
};

/** A bounded look at a stream, page by page. */
export const lookAtRecords = async (
  source: SourceStream,
  io: Io,
  parentIds: readonly string[],
  bounds: LookBounds,
): Promise<Look> => {
  const look = createLook(source.stream, bounds);
  return look.done(await visitRecords(source, io, parentIds, bounds, look.add));
};
