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

/** Of what was asked for: what can't be read, and what is gone. */
const leftOut = async (
  ctx: ChunkContext,
  ids: readonly string[],
  { records, unreadable }: Omit<ReadByIds, "gone">,
): Promise<ReadByIds> => {
  const { from } = pairOf(ctx);
  const found = new Set([...records, ...unreadable].map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  const there =
    missing.length > 0 && from.unreadableAmong
      ? await onSide("source", async () => from.unreadableAmong?.(ctx.source.io(ctx.signal), missing) ?? [])
      : [];
  const explained = new Set(there.map(({ id }) => id));
  return {
    records,
    unreadable: [...unreadable, ...there],
    gone: missing.filter((id) => !explained.has(id)),
  };
};

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
  return leftOut(ctx, ids, { records, unreadable });
};

/** Reads records by their ids; reports those that are gone and those that can't be read. */
export const readByIds = async (ctx: ChunkContext, ids: readonly string[]): Promise<ReadByIds> => {
  if (ids.length === 0) return { records: [], unreadable: [], gone: [] };
  try {
    return await leftOut(ctx, ids, { records: await askFor(ctx, ids), unreadable: [] });
  } catch (error) {
    if (!isRefusedRead(error)) throw error;
    return readEach(ctx, ids);
  }
};
