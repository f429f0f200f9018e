import { type ReadByIds, readByIds } from "./read-by-ids.ts";
import { recordReader, rereadParents, setAside } from "./read-source.ts";
import { isHopeless, isSuspect } from "../chunk/lease.ts";
import { type LedgerRow, listFailed, listRows, listSampled, listWithLinks } from "../ledger/store-ledger.ts";
import type { ChunkContext } from "../chunk/chunk-context.ts";

export interface SourcePage extends ReadByIds {
  /** Stood for what belongs to a parent, which could be read now. */
  readonly readNow?: readonly string[];
  readonly next: unknown;
  /** Until the next page can be read; left out: now. */
  readonly waitMs?: number;
}

/** The rows of a stream that a retry takes up. */
export interface RetrySlice {
  /** Those with one of these reasons. */
  readonly codes: readonly string[];
  /**
   * All people who failed or have no match, whatever the reasons: others may be chosen for them by now, and records that failed
   * may need them.
   */
  readonly unmatched?: true;
}

export type PageReader = (at: unknown) => Promise<SourcePage>;

const idsPerPage = 100;

/** Reads records of a list by their ids, and whole parents that an earlier read had set aside. */
export const readListed = async (
  ctx: ChunkContext,
  ids: readonly string[],
): Promise<Omit<SourcePage, "next" | "waitMs">> => {
  const parents = await rereadParents(ctx, ids);
  const page = await readByIds(
    ctx,
    ids.filter((id) => !parents.marks.has(id)),
  );
  return {
    records: [...page.records, ...parents.records],
    unreadable: [...page.unreadable, ...parents.unreadable],
    gone: page.gone,
    readNow: parents.readNow,
  };
};

/** A person who failed, or who has no match. */
const isOpenPerson = ({ state, reason }: Pick<LedgerRow, "state" | "reason">): boolean =>
  state === "failed" ||
  (state === "skipped" && reason === "user_unmatched") ||
  (state === "written" && reason === "update_failed");

type ListIds = (after: string | null) => Promise<{ ids: readonly string[]; last: string | null }>;

const byIds = (ctx: ChunkContext, list: ListIds, tellsGone: boolean): PageReader => {
  let skips = isHopeless(ctx.lease);
  return async (at) => {
    const { ids, last } = await list(at as string | null);
    const page = skips
      ? { records: [], unreadable: ids.map(setAside), gone: [] }
      : await readListed(ctx, ids);
    skips = false;
    return { ...page, gone: tellsGone ? page.gone : [], next: last };
  };
};

/** How this partition's records are read: the whole stream, or those of a list. */
export const pageReader = (ctx: ChunkContext): PageReader => {
  const { db, lease } = ctx;
  const limit = isSuspect(lease) ? 1 : idsPerPage;
  const lastOf = (ids: readonly string[]) => (ids.length < limit ? null : (ids.at(-1) ?? null));
  if (lease.task === "link")
    return byIds(
      ctx,
      async (after) => {
        const found = await listWithLinks(db, lease, { after, limit });
        return {
          ids: found.filter(({ ready }) => ready).map(({ id }) => id),
          last: lastOf(found.map(({ id }) => id)),
        };
      },
      false,
    );
  if (lease.kind === "retry_failed")
    return byIds(
      ctx,
      async (after) => {
        const { codes = null, unmatched } = (lease.slice as RetrySlice | null) ?? {};
        if (unmatched) {
          // The index of what a retry takes up does not have them; people are few.
          const rows = await listRows(db, lease, { after, limit });
          const open = rows.filter((row) => row.runNumber < lease.runNumber && isOpenPerson(row));
          return {
            ids: open.map(({ sourceId }) => sourceId),
            last: lastOf(rows.map(({ sourceId }) => sourceId)),
          };
        }
        const ids = await listFailed(db, lease, codes, { after, limit });
        return { ids, last: lastOf(ids) };
      },
      true,
    );
  if (lease.kind === "sample")
    return byIds(
      ctx,
      async (after) => {
        const ids = await listSampled(db, lease, { after, limit });
        return { ids, last: lastOf(ids) };
      },
      true,
    );
  const read = recordReader(ctx);
  return async (at) => {
    const { items, unreadable, next, waitMs } = await read(at);
    return { records: items, unreadable, gone: [], next, waitMs };
  };
};
