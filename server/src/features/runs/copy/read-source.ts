import type { At, Cursor, Page, Unreadable } from "@portage/connector-kit";
import { onSide } from "../chunk/sides.ts";
import { listParents } from "../ledger/store-ledger.ts";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";

/** One page of a reader; `next` is null at the end. */
export interface ReadPage<X> {
  readonly items: readonly X[];
  readonly unreadable: readonly Unreadable[];
  readonly next: unknown;
}

export type Reader<X> = (at: unknown) => Promise<ReadPage<X>>;

type Fetch<X> = (at: At) => Promise<Page<X>>;

/** Reads a stream as a whole, or a slice of it. */
const wholeReader =
  <X>(fetch: Fetch<X>, slice: Cursor | null, since: Date | null): Reader<X> =>
  async (at) => {
    const {
      records,
      next,
      unreadable = [],
    } = await fetch({
      cursor: (at as Cursor | null) ?? slice,
      since,
      parentId: null,
    });
    return { items: records, unreadable, next };
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
}

const parentsPerPage = 16;
const enough = 500;

/** Reads a stream once per parent: a page spans many parents, each of which is read to its end. */
const parentsReader =
  <X>(
    fetch: Fetch<X>,
    parentsAfter: (after: string | null, limit: number) => Promise<readonly string[]>,
    since: Date | null,
  ): Reader<X> =>
  async (at) => {
    const { after, inner } = (at as ParentsCursor | null) ?? { after: null, inner: null };
    const parents = await parentsAfter(after, inner ? 1 : parentsPerPage);
    if (parents.length === 0) return { items: [], unreadable: [], next: null };
    const pages = await Promise.all(parents.map((parentId) => fetch({ cursor: inner, since, parentId })));
    const items: X[] = [];
    const unreadable: Unreadable[] = [];
    let done = after;
    for (const [index, page] of pages.entries()) {
      if (index > 0 && items.length >= enough) break;
      items.push(...page.records);
      unreadable.push(...(page.unreadable ?? []));
      if (page.next !== null) return { items, unreadable, next: { after: done, inner: page.next } };
      done = parents[index] ?? done;
    }
    return { items, unreadable, next: { after: done, inner: null } };
  };

const readerOf = <X>(ctx: ChunkContext, fetch: Fetch<X>): Reader<X> => {
  const { db, lease } = ctx;
  const { from } = pairOf(ctx);
  const since = lease.kind === "delta" && from.delta && lease.task === "copy" ? lease.since : null;
  const call: Fetch<X> = (at) => onSide("source", () => fetch(at));
  if (from.perParent === undefined) return wholeReader(call, lease.slice as Cursor | null, since);
  const slice = (lease.slice as ParentsSlice | null) ?? { parts: 1, index: 0 };
  const parent = from.perParent;
  // An unchanged parent may have new children, unless the tool says otherwise: read all parents.
  return parentsReader(
    call,
    (after, limit) => listParents(db, lease, parent, slice, { after, limit }),
    since,
  );
};

/** Reads the records of this partition, page by page. */
export const recordReader = (ctx: ChunkContext) => {
  const { from } = pairOf(ctx);
  return readerOf(ctx, (at) => from.readPage(ctx.source.io(ctx.signal), at));
};

/** Reads ids only, if the tool has a cheaper way for that. */
export const idReader = (ctx: ChunkContext): Reader<string> => {
  const { from } = pairOf(ctx);
  return readerOf(ctx, async (at) => {
    const io = ctx.source.io(ctx.signal);
    if (from.readIds) return from.readIds(io, at);
    const page = await from.readPage(io, at);
    const unread = (page.unreadable ?? []).map(({ id }) => id);
    return { records: [...page.records.map(({ id }) => id), ...unread], next: page.next };
  });
};
