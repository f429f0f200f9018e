import { type FamilyRecord, isConnectorError, type Unreadable } from "@portage/connector-kit";
import { recordReader } from "./read-source.ts";
import { onSide } from "./sides.ts";
import { listFailed, listSampled, listWithLinks } from "./store-ledger.ts";
import { pairOf, type Workplace } from "./workplace.ts";

export interface SourcePage {
  readonly records: readonly FamilyRecord[];
  readonly unreadable: readonly Unreadable[];
  readonly gone: readonly string[];
  readonly next: unknown;
}

export type PageReader = (at: unknown) => Promise<SourcePage>;

const idsAtOnce = 100;

const askFor = (place: Workplace, ids: readonly string[]) =>
  onSide("source", () => pairOf(place).from.readByIds(place.source.io(place.signal), ids));

/** Each by itself, after one of them made the call for all fail: that one is told, the others go on. */
const readEach = async (place: Workplace, ids: readonly string[]): Promise<Omit<SourcePage, "next">> => {
  const records: FamilyRecord[] = [];
  const unreadable: Unreadable[] = [];
  for (const id of ids)
    try {
      records.push(...(await askFor(place, [id])));
    } catch (error) {
      if (!isConnectorError(error) || error.recovery !== "skip-record") throw error;
      unreadable.push({ id, code: error.code, message: error.message });
    }
  const told = new Set([...records, ...unreadable].map(({ id }) => id));
  return { records, unreadable, gone: ids.filter((id) => !told.has(id)) };
};

/** Reads records by their ids; those that are gone, and those that can't be read, are told. */
export const readByIds = async (
  place: Workplace,
  ids: readonly string[],
): Promise<Omit<SourcePage, "next">> => {
  if (ids.length === 0) return { records: [], unreadable: [], gone: [] };
  try {
    const records = await askFor(place, ids);
    const there = new Set(records.map(({ id }) => id));
    return { records, unreadable: [], gone: ids.filter((id) => !there.has(id)) };
  } catch (error) {
    if (!isConnectorError(error) || error.recovery !== "skip-record") throw error;
    return readEach(place, ids);
  }
};

type ListIds = (after: string | null) => Promise<{ ids: readonly string[]; last: string | null }>;

const byIds =
  (place: Workplace, list: ListIds, tellsGone: boolean): PageReader =>
  async (at) => {
    const { ids, last } = await list(at as string | null);
    const page = await readByIds(place, ids);
    return { ...page, gone: tellsGone ? page.gone : [], next: last };
  };

const lastOf = (ids: readonly string[]) => (ids.length < idsAtOnce ? null : (ids.at(-1) ?? null));

/** How this partition's records are read: the whole stream, or those of a list. */
export const pageReader = (place: Workplace): PageReader => {
  const { db, lease } = place;
  const limit = idsAtOnce;
  if (lease.task === "link")
    return byIds(
      place,
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
      place,
      async (after) => {
        const ids = await listFailed(db, lease, { after, limit });
        return { ids, last: lastOf(ids) };
      },
      true,
    );
  if (lease.kind === "sample")
    return byIds(
      place,
      async (after) => {
        const ids = await listSampled(db, lease, { after, limit });
        return { ids, last: lastOf(ids) };
      },
      true,
    );
  const read = recordReader(place);
  return async (at) => {
    const { items, unreadable, next } = await read(at);
    return { records: items, unreadable, gone: [], next };
  };
};
