import {
  type At,
  type Cursor,
  type FamilyRecord,
  isConnectorError,
  type Page,
  type Unreadable,
} from "@portage/connector-kit";
import { onSide } from "../chunk/sides.ts";
import { isRefusedRead, readEach, toUnreadable } from "./read-by-ids.ts";
import { listParents } from "../ledger/store-ledger.ts";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { isHopeless, isSuspect } from "../chunk/lease.ts";

/** One page of a reader; `next` is null at the end. */
export interface ReadPage<X> {
  readonly items: readonly X[];
  readonly unreadable: readonly Unreadable[];
  readonly next: unknown;
  /** Until the next page can be read; 0: now. */
  readonly waitMs: number;
}

export type Reader<X> = (at: unknown) => Promise<ReadPage<X>>;

type Fetch<X> = (at: At) => Promise<Page<X>>;

/** Page sizes to try when the tool can't answer with a whole page: one record must not hold up all others. */
const smallerSizes = [10, 1];

/** Reads a page; if the tool refuses, reads smaller ones from the same place, and at last one record after another. */
const inParts =
  <X>(fetch: Fetch<X>, oneByOne: Fetch<X> | null): Fetch<X> =>
  async (at) => {
    const smaller = smallerSizes
      .filter((size) => size < (at.size ?? Number.POSITIVE_INFINITY))
      .map((size) => () => fetch({ ...at, size }));
    let refused: unknown = null;
    for (const read of [() => fetch(at), ...smaller, ...(oneByOne ? [() => oneByOne(at)] : [])])
      try {
        return await read();
      } catch (error) {
        if (!isRefusedRead(error)) throw error;
        refused ??= error;
      }
    throw refused;
  };

/** Reads a stream as a whole, or a slice of it. */
const wholeReader =
  <X>(fetch: Fetch<X>, slice: Cursor | null, since: Date | null): Reader<X> =>
  async (at) => {
    const {
      records,
      next,
      unreadable = [],
      waitMs = 0,
    } = await fetch({
      cursor: (at as Cursor | null) ?? slice,
      since,
      parentId: null,
    });
    return { items: records, unreadable, next, waitMs };
  };

interface ParentsCursor {
  /** All parents up to and including this one are done. */
  readonly after: string | null;
  /** A position inside the next parent. */
  readonly inner: Cursor | null;
}

/** One part of the parents: those whose id hashes to `index`. */
export interface ParentsSlice {
  readonly parts: number;
  readonly index: number;
  /** Only parents that this run has touched: the others have no new, changed or deleted records. */
  readonly touched?: true;
}

const parentsPerPage = 16;
const enough = 500;
/** A page that is larger waits for no further parents: it and the page after it are in memory, for each chunk. */
const enoughBytes = 8 * 1024 * 1024;

/** The id that stands in the report for all records of a parent that could not be read: their own ids are not known. */
const markOf = (stream: string, parentId: string) => `${stream}/${parentId}/*`;

const parentOf = (stream: string, mark: string): string | null =>
  mark.startsWith(`${stream}/`) && mark.endsWith("/*") ? mark.slice(stream.length + 1, -2) : null;

/** Sets a parent aside whose records the tool does not show: the run reports it and reads the others. */
const orSetAside =
  <X>(fetch: Fetch<X>, stream: string): Fetch<X> =>
  async (at) => {
    try {
      return await fetch(at);
    } catch (error) {
      if (!isConnectorError(error) || !isRefusedRead(error) || at.parentId === null) throw error;
      return { records: [], next: null, unreadable: [toUnreadable(markOf(stream, at.parentId), error)] };
    }
  };

/**
 * Reads a parent to its end, or until there is enough for a page: whatever comes after a page that breaks off in the middle of a
 * parent is read again.
 */
const toTheEnd =
  <X>(fetch: Fetch<X>): Fetch<X> =>
  async (at) => {
    const records: X[] = [];
    const unreadable: Unreadable[] = [];
    let bytes = 0;
    let { cursor } = at;
    for (;;) {
      const page = await fetch({ ...at, cursor });
      records.push(...page.records);
      unreadable.push(...(page.unreadable ?? []));
      bytes += page.next === null ? 0 : JSON.stringify(page.records).length;
      const isEnough = records.length >= enough || bytes >= enoughBytes || page.waitMs !== undefined;
      if (page.next === null || isEnough) return { ...page, records, unreadable };
      cursor = page.next;
    }
  };

/** Reads parents from the first on, several at a time, until they have enough for a page. */
export const readParents = async <X>(
  parents: readonly string[],
  concurrency: number,
  fetch: (parentId: string) => Promise<Page<X>>,
): Promise<readonly Page<X>[]> => {
  const pages: Page<X>[] = [];
  let next = 0;
  let records = 0;
  let bytes = 0;
  let isFull = false;
  const work = async () => {
    for (let index = next; !isFull && index < parents.length; index = next) {
      next += 1;
      const page = await fetch(parents[index] ?? "");
      pages[index] = page;
      records += page.records.length;
      bytes += JSON.stringify(page.records).length;
      isFull ||= page.next !== null || records >= enough || bytes >= enoughBytes;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, parents.length) }, work));
  return pages;
};

/** Reads a stream once per parent: a page spans many parents, each of which is read to its end. */
const parentsReader =
  <X>(
    fetch: Fetch<X>,
    parentsAfter: (after: string | null, limit: number) => Promise<readonly string[]>,
    since: Date | null,
    concurrency: number,
  ): Reader<X> =>
  async (at) => {
    const { after, inner } = (at as ParentsCursor | null) ?? { after: null, inner: null };
    const parents = await parentsAfter(after, inner ? 1 : parentsPerPage);
    if (parents.length === 0) return { items: [], unreadable: [], next: null, waitMs: 0 };
    const pages = await readParents(parents, concurrency, (parentId) =>
      fetch({ cursor: inner, since, parentId }),
    );
    const items: X[] = [];
    const unreadable: Unreadable[] = [];
    let done = after;
    for (const [index, page] of pages.entries()) {
      if (index > 0 && items.length >= enough) break;
      items.push(...page.records);
      unreadable.push(...(page.unreadable ?? []));
      if (page.next !== null)
        return { items, unreadable, next: { after: done, inner: page.next }, waitMs: page.waitMs ?? 0 };
      done = parents[index] ?? done;
    }
    return { items, unreadable, next: { after: done, inner: null }, waitMs: 0 };
  };

/** A record that ends a process each time must not stop its import, let alone those of others. */
export const setAside = (id: string): Unreadable => ({
  id,
  code: "set_aside",
  message: "Our work on this record broke off again and again.",
});

const readerOf = <X>(
  ctx: ChunkContext,
  fetch: Fetch<X>,
  oneByOne: Fetch<X> | null,
  given?: At["pass"],
): Reader<X> => {
  const { db, lease } = ctx;
  const { from } = pairOf(ctx);
  const slice = (lease.slice as ParentsSlice | null) ?? { parts: 1, index: 0 };
  // A touched parent is read to its end: the copy then counts what it has, and its sweep need not ask again.
  const isPartial = lease.kind === "delta" && from.delta && lease.task === "copy" && slice.touched !== true;
  const since = isPartial ? lease.since : null;
  // After a loss of commits this process may hold answers from before the parents were read again.
  const pass = lease.looksFrom === null ? given : undefined;
  const read = inParts<X>(
    (at) => onSide("source", () => fetch(pass === undefined ? at : { ...at, pass })),
    oneByOne,
  );
  const isAlone = isSuspect(lease);
  const call: Fetch<X> = isAlone ? (at) => read({ ...at, size: 1 }) : read;
  if (from.perParent === undefined) return wholeReader(call, lease.slice as Cursor | null, since);
  const parent = from.perParent;
  // An unchanged parent may have new children, unless the tool says otherwise.
  const parents = { ...slice, touched: slice.touched === true };
  return parentsReader(
    orSetAside(isAlone ? call : toTheEnd(call), parent),
    (after, limit) => listParents(db, lease, parent, parents, { after, limit: isAlone ? 1 : limit }),
    since,
    // More would only wait in line.
    ctx.source.connector.manifest.concurrency,
  );
};

/** Reads the records of this partition, page by page. */
export const recordReader = (ctx: ChunkContext) => {
  const { from } = pairOf(ctx);
  const io = () => ctx.source.io(ctx.signal);
  const { readIds, sharedCursors } = from;
  const oneByOne: Fetch<FamilyRecord> | null =
    readIds && sharedCursors
      ? async (at) => {
          const { records: ids, next } = await onSide("source", () => readIds(io(), { ...at, size: 10 }));
          const { records, unreadable } = await readEach(ctx, ids);
          return { records, unreadable, next };
        }
      : null;
  let skips = isHopeless(ctx.lease);
  const skip: Fetch<FamilyRecord> = async (at) => {
    const { parentId } = at;
    if (from.perParent !== undefined && parentId !== null)
      return { records: [], next: null, unreadable: [setAside(markOf(from.perParent, parentId))] };
    if (!readIds || !sharedCursors)
      throw new Error("The record that ends its process each time has no known id.");
    const { records: ids, next } = await readIds(io(), { ...at, size: 1 });
    return { records: [], next, unreadable: ids.map(setAside) };
  };
  const fetch: Fetch<FamilyRecord> = (at) => {
    if (!skips) return from.readPage(io(), at);
    skips = false;
    return skip(at);
  };
  return readerOf(ctx, fetch, oneByOne, "copy");
};

/** Reads pages of which only the copied records count. */
export const copiedReader = (ctx: ChunkContext) => {
  const { from } = pairOf(ctx);
  return readerOf(
    // The slice of a check is none of the source's.
    { ...ctx, lease: { ...ctx.lease, slice: null } },
    (at) => from.readPage(ctx.source.io(ctx.signal), { ...at, copiedOnly: true }),
    null,
  );
};

/** A retry: reads all records of the parents that an earlier run had set aside. */
export const rereadParents = async (ctx: ChunkContext, ids: readonly string[]) => {
  const { from } = pairOf(ctx);
  const { perParent } = from;
  const records: FamilyRecord[] = [];
  const unreadable: Unreadable[] = [];
  const readNow: string[] = [];
  const marks = new Set<string>();
  for (const mark of perParent === undefined ? [] : ids) {
    const parentId = parentOf(perParent ?? "", mark);
    if (parentId === null) continue;
    marks.add(mark);
    const fetch = inParts<FamilyRecord>(
      (at) => onSide("source", () => from.readPage(ctx.source.io(ctx.signal), at)),
      null,
    );
    const read = orSetAside(fetch, perParent ?? "");
    let cursor: Cursor | null = null;
    let isWhole = true;
    do {
      const page: Page<FamilyRecord> = await read({ cursor, since: null, parentId });
      records.push(...page.records);
      unreadable.push(...(page.unreadable ?? []));
      isWhole &&= !page.unreadable?.some(({ id }) => id === mark);
      cursor = page.next;
    } while (cursor !== null);
    if (isWhole) readNow.push(mark);
  }
  return { records, unreadable, readNow, marks };
};

export interface ReadIds {
  /** Also of what can't be read. */
  readonly ids: readonly string[];
  readonly next: unknown;
  readonly waitMs: number;
}

/** Reads ids only, if the tool has a cheaper way for that. */
export const idReader = (ctx: ChunkContext): ((at: unknown) => Promise<ReadIds>) => {
  const { from } = pairOf(ctx);
  const read: Reader<string> = readerOf(
    ctx,
    async (at) => {
      const io = ctx.source.io(ctx.signal);
      if (from.readIds) return from.readIds(io, at);
      const { records, ...page } = await from.readPage(io, at);
      return { ...page, records: records.map(({ id }) => id) };
    },
    null,
    "sweep",
  );
  return async (at) => {
    const { items, unreadable, next, waitMs } = await read(at);
    return { ids: [...items, ...unreadable.map(({ id }) => id)], next, waitMs };
  };
};
