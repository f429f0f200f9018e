import {
  type ConnectorError,
  type FamilyRecord,
  isConnectorError,
  type Unreadable,
} from "@portage/connector-kit";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";

export interface ReadByIds {
  readonly records: readonly FamilyRecord[];
  readonly unreadable: readonly Unreadable[];
  readonly gone: readonly string[];
}

/** Whether an error concerns what was asked for, not the tool: another question may be answered. */
export const isRefusedRead = (error: unknown) => isConnectorError(error) && error.recovery === "skip-record";

/** What the source did not let us read. Its own codes name what a write was refused for. */
export const toUnreadable = (id: string, { code, status, message }: ConnectorError): Unreadable => {
  const reason = code === "too_large" ? "too_large_to_read" : status === 403 ? "not_shown" : "unreadable";
  return { id, code: reason, message };
};

const askFor = (ctx: ChunkContext, ids: readonly string[]) =>
  onSide("source", () => pairOf(ctx).from.readByIds(ctx.source.io(ctx.signal), ids));

/** Reads ids one by one, after one of them failed the call for all: reports that one, and continues with the others. */
export const readEach = async (ctx: ChunkContext, ids: readonly string[]): Promise<ReadByIds> => {
  const records: FamilyRecord[] = [];
  const unreadable: Unreadable[] = [];
  for (const id of ids)
    try {
      records.push(...(await askFor(ctx, [id])));
    } catch (error) {
      if (!isConnectorError(error) || !isRefusedRead(error)) throw error;
      unreadable.push(toUnreadable(id, error));
    }
  const found = new Set([...records, ...unreadable].map(({ id }) => id));
  return { records, unreadable, gone: ids.filter((id) => !found.has(id)) };
};

/** Reads records by their ids; reports those that are gone and those that can't be read. */
export const readByIds = async (ctx: ChunkContext, ids: readonly string[]): Promise<ReadByIds> => {
  if (ids.length === 0) return { records: [], unreadable: [], gone: [] };
  try {
    const records = await askFor(ctx, ids);
    const there = new Set(records.map(({ id }) => id));
    return { records, unreadable: [], gone: ids.filter((id) => !there.has(id)) };
  } catch (error) {
    if (!isRefusedRead(error)) throw error;
    return readEach(ctx, ids);
  }
};
