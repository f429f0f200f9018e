import { type FamilyRecord, isConnectorError, type Unreadable } from "@portage/connector-kit";
import { recordReader } from "./read-source.ts";
import { onSide } from "../chunk/sides.ts";
import { listFailed, listSampled, listWithLinks } from "../ledger/store-ledger.ts";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";

export interface SourcePage {
  readonly records: readonly FamilyRecord[];
  readonly unreadable: readonly Unreadable[];
  readonly gone: readonly string[];
  readonly next: unknown;
}

export type PageReader = (at: unknown) => Promise<SourcePage>;

const idsPerPage = 100;

const askFor = (ctx: ChunkContext, ids: readonly string[]) =>
  onSide("source", () => pairOf(ctx).from.readByIds(ctx.source.io(ctx.signal), ids));

/** Reads ids one by one, after one of them failed the call for all: reports that one, and continues with the others. */
const readEach = async (ctx: ChunkContext, ids: readonly string[]): Promise<Omit<SourcePage, "next">> => {
  const records: FamilyRecord[] = [];
  const unreadable: Unreadable[] = [];
  for (const id of ids)
    try {
      records.push(...(await askFor(ctx, [id])));
    } catch (error) {
      if (!isConnectorError(error) || error.recovery !== "skip-record") throw error;
      unreadable.push({ id, code: error.code, message: error.message });
    }
  const found = new Set([...records, ...unreadable].map(({ id }) => id));
  return { records, unreadable, gone: ids.filter((id) => !found.has(id)) };
};

/** Reads records by their ids; reports those that are gone and those that can't be read. */
export const readByIds = async (
  ctx: ChunkContext,
  ids: readonly string[],
): Promise<Omit<SourcePage, "next">> => {
  if (ids.length === 0) return { records: [], unreadable: [], gone: [] };
  try {
    const records = await askFor(ctx, ids);
    const there = new Set(records.map(({ id }) => id));
    return { records, unreadable: [], gone: ids.filter((id) => !there.has(id)) };
  } catch (error) {
    if (!isConnectorError(error) || error.recovery !== "skip-record") throw error;
    return readEach(ctx, ids);
  }
};

type ListIds = (after: string | null) => Promise<{ ids: readonly string[]; last: string | null }>;

const byIds =
  (ctx: ChunkContext, list: ListIds, tellsGone: boolean): PageReader =>
  async (at) => {
    const { ids, last } = await list(at as string | null);
    const page = await readByIds(ctx, ids);
    return { ...page, gone: tellsGone ? page.gone : [], next: last };
  };

const lastOf = (ids: readonly string[]) => (ids.length < idsPerPage ? null : (ids.at(-1) ?? null));

/** How this partition's records are read: the whole stream, or those of a list. */
export const pageReader = (ctx: ChunkContext): PageReader => {
  const { db, lease } = ctx;
  const limit = idsPerPage;
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
        const ids = await listFailed(db, lease, { after, limit });
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
    const { items, unreadable, next } = await read(at);
    return { records: items, unreadable, gone: [], next };
  };
};
