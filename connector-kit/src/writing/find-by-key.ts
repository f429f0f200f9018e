import type { FindQuery } from "../destination.ts";
import { inChunks } from "../in-chunks.ts";
import type { Io } from "../io.ts";
import { idsByKey } from "./outcomes.ts";

interface Place<R, S> {
  /** The key that the row holds; null: it is no copy. */
  of(row: R, io: Io<S>): string | null | Promise<string | null>;
  /** What the row holds instead of the key, if the field is too short for it. */
  digest?(key: string): string;
}

/** Where a copy holds its key, and so how `find` finds it. */
export type KeyPlace<R, S> =
  /** A field that the tool keeps unique: a second write with the same key changes the first one's record. */
  | (Place<R, S> & {
      readonly kind: "upsert";
      find(io: Io<S>, keys: readonly string[]): Promise<readonly R[]>;
      /** How many keys a call takes; by default all. */
      readonly atMost?: number;
    })
  /** A field by which the tool lists, or a text that it searches without delay. It may return other rows too. */
  | (Place<R, S> & {
      readonly kind: "field";
      find(io: Io<S>, keys: readonly string[]): Promise<readonly R[]>;
      readonly atMost?: number;
    })
  /** A text of records that the tool lists by their parent. */
  | (Place<R, S> & {
      readonly kind: "marker";
      list(io: Io<S>, parentId: string, parentStream?: string): Promise<readonly R[]>;
    })
  /** No field to filter by, or only a search that lags: the records that changed since the first write of the key. */
  | (Place<R, S> & { readonly kind: "scan"; since(io: Io<S>, since: Date): AsyncIterable<R> });

const candidates = async <R, S>(
  io: Io<S>,
  place: KeyPlace<R, S>,
  asked: readonly FindQuery[],
): Promise<readonly R[]> => {
  const rows: R[] = [];
  if (place.kind === "scan") {
    const since = Math.min(...asked.map((each) => each.since.getTime()));
    for await (const row of place.since(io, new Date(since))) rows.push(row);
  } else if (place.kind === "marker") {
    const parents = new Map(asked.map((each) => [`${each.parentStream}/${each.parentId}`, each])).values();
    const lists = parents.map(async ({ parentId, parentStream }) =>
      parentId === undefined ? [] : place.list(io, parentId, parentStream),
    );
    rows.push(...(await Promise.all(lists)).flat());
  } else {
    const keys = [...new Set(asked.map(({ key }) => key))];
    for (const some of inChunks(keys, place.atMost ?? keys.length))
      rows.push(...(await place.find(io, some)));
  }
  return rows;
};

/** Whether a row is the copy with this key. */
export const hasKey = async <R, S>(io: Io<S>, place: KeyPlace<R, S>, row: R, key: string): Promise<boolean> =>
  (await place.of(row, io)) === (place.digest?.(key) ?? key);

/** Every id per key. Compares the key on each row that the tool returns. */
export const findByKey = async <R, S>(
  io: Io<S>,
  place: KeyPlace<R, S>,
  idOf: (row: R) => string,
  asked: readonly FindQuery[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (asked.length === 0) return new Map();
  const rows = await candidates(io, place, asked);
  const keyOf = new Map(asked.map(({ key }) => [place.digest?.(key) ?? key, key]));
  const found = await Promise.all(
    rows.map(async (row) => ({ key: keyOf.get((await place.of(row, io)) ?? "") ?? null, id: idOf(row) })),
  );
  return idsByKey(asked, found);
};
