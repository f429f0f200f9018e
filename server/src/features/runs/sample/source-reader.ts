import {
  type At,
  type Cursor,
  type FamilyRecord,
  type FamilyStream,
  type Io,
  isConnectorError,
  type SourceStream,
} from "@portage/connector-kit";
import { layOut, type StreamLayout } from "./layout.ts";

interface Owner {
  readonly stream: string;
  readonly id: string;
}

interface ReadRecords {
  readonly records: readonly FamilyRecord[];
  readonly next: Cursor | null;
}

/** The source for choosing a sample: an unreadable record is skipped, never a reason to end. */
export interface SourceReader {
  readonly layout: StreamLayout;
  find(stream: string): SourceStream | undefined;
  page(stream: string, at: Partial<At>): Promise<ReadRecords>;
  byIds(stream: string, ids: readonly string[]): Promise<readonly FamilyRecord[]>;
  byParents(stream: string, owners: readonly Owner[]): Promise<readonly FamilyRecord[]>;
  slices(stream: string, atMost: number): Promise<readonly Cursor[]>;
}

const isSkipped = (error: unknown) => isConnectorError(error) && error.recovery === "skip-record";

/** How many pages of one stream a step reads at once, where they do not depend on each other. */
export const pagesAtOnce = 8;

/**
 * Waits for several reads, of which the tool's limits let as many run at a time as it takes. All have ended before a
 * failure is thrown: none goes on behind the back of a chunk that gave up.
 */
export const allOf = async <R>(reads: readonly Promise<R>[]): Promise<readonly R[]> => {
  const ended = await Promise.allSettled(reads);
  return ended.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
};

/** All together, or one by one if one of them fails the call for the others. */
const each = async <A, R>(
  asked: readonly A[],
  read: (some: readonly A[]) => Promise<readonly R[]>,
): Promise<readonly R[]> => {
  if (asked.length === 0) return [];
  try {
    return await read(asked);
  } catch (error) {
    if (!isSkipped(error)) throw error;
    if (asked.length === 1) return [];
    const found: R[] = [];
    for (const one of asked) found.push(...(await each([one], read)));
    return found;
  }
};

/** Which records are moved at all: a sample of others would show nothing. */
type IsWanted = (stream: FamilyStream, record: FamilyRecord) => boolean;

export const createSourceReader = (
  streams: readonly SourceStream[],
  io: Io,
  isWanted: IsWanted = () => true,
): SourceReader => {
  const byName = new Map(streams.map((stream) => [stream.stream.name, stream]));
  return {
    layout: layOut(streams.map(({ stream }) => stream)),
    find: (name) => byName.get(name),
    async page(name, at) {
      try {
        const source = byName.get(name);
        if (!source) return { records: [], next: null };
        const page = await source.readPage(io, { cursor: null, since: null, parentId: null, ...at });
        return { records: page.records.filter((record) => isWanted(source.stream, record)), next: page.next };
      } catch (error) {
        if (isSkipped(error)) return { records: [], next: null };
        throw error;
      }
    },
    byIds: (name, ids) => each(ids, async (some) => byName.get(name)?.readByIds(io, some) ?? []),
    byParents: (name, owners) =>
      each(owners, async (some) => byName.get(name)?.readByParents?.(io, some) ?? []),
    slices: async (name, atMost) => (await byName.get(name)?.slices?.(io, atMost)) ?? [],
  };
};
