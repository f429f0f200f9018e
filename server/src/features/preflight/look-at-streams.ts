import { isStreamSelected, type Mapping } from "../mapping/index.ts";
import { concernsAll, type ReachableSide } from "./tool-trouble.ts";
import {
  type ConnectorError,
  type DestinationStream,
  type FamilyStream,
  type Io,
  isConnectorError,
  type SourceStream,
} from "@portage/connector-kit";
import type { Family } from "@portage/contract";

/** The streams that the customer selected, each with its destination stream. */
export const wantedStreams = (
  source: ReachableSide,
  offered: readonly DestinationStream[],
  mapping: Mapping,
  family: Family,
) =>
  (source.connector.source?.[family] ?? [])
    .filter(({ stream }) => isStreamSelected(mapping, stream.name))
    .map((from) => ({ from, to: offered.find(({ stream }) => stream.name === from.stream.name) ?? null }));

/** What is known of a stream before it is copied. */
export interface StreamLook {
  readonly stream: FamilyStream;
  /** Null: the destination does not take it. */
  readonly to: DestinationStream | null;
  /** The number of records in the source; null: unknown. */
  readonly count: number | null;
  /** False: the count is only the tool's estimate. */
  readonly exact: boolean;
  /** The total size of files; null: no files, or unknown. */
  readonly bytes: number | null;
  /** Records per page; null: there is at most one page. */
  readonly pageSize: number | null;
  /** Read once per record of this stream. */
  readonly perParent: string | null;
  /** Why it can't be read. */
  readonly refused: ConnectorError | null;
}

interface FirstPage {
  readonly ids: readonly string[];
  readonly more: boolean;
}

/** Returns an error that concerns only this call; throws one that concerns the whole tool. */
const orRefused = async <T>(ask: () => Promise<T>): Promise<T | ConnectorError> => {
  try {
    return await ask();
  } catch (error) {
    if (!isConnectorError(error) || concernsAll(error)) throw error;
    return error;
  }
};

const readFirst = async (from: SourceStream, io: Io, parentId: string | null): Promise<FirstPage> => {
  const { records, next } = await from.readPage(io, { cursor: null, since: null, parentId });
  return { ids: records.map(({ id }) => id), more: next !== null };
};

interface ToLookAt {
  readonly from: SourceStream;
  readonly to: DestinationStream | null;
}

/** Counts a stream and reads its first page: a tool that counts may still refuse to read. Parents come first. */
export const createLooker = (io: Io): ((asked: ToLookAt) => Promise<StreamLook>) => {
  const firstIds = new Map<string, string>();
  return async ({ from, to }) => {
    const { stream, perParent = null } = from;
    const parentId = perParent === null ? null : (firstIds.get(perParent) ?? null);
    // Without any parent there is nothing to read.
    const isReadable = perParent === null || parentId !== null;
    const page = isReadable
      ? await orRefused(() => readFirst(from, io, parentId))
      : ({ ids: [], more: false } satisfies FirstPage);
    const counted = from.count ? await orRefused(async () => from.count?.(io)) : undefined;
    const answer = isConnectorError(counted) ? undefined : counted;
    const read = isConnectorError(page) ? null : page;
    const [firstId] = read?.ids ?? [];
    if (firstId !== undefined) firstIds.set(stream.name, firstId);
    const isWhole = read !== null && !read.more && perParent === null;
    return {
      stream,
      to,
      count: answer?.value ?? (isWhole ? read.ids.length : null),
      bytes: answer?.bytes ?? null,
      exact: answer?.exact ?? isWhole,
      pageSize: read?.more && read.ids.length > 0 ? read.ids.length : null,
      perParent,
      refused: isConnectorError(page) ? page : null,
    };
  };
};

export const lookAtStreams = async (streams: readonly ToLookAt[], io: Io): Promise<readonly StreamLook[]> => {
  const look = createLooker(io);
  const looks: StreamLook[] = [];
  for (const asked of streams) looks.push(await look(asked));
  return looks;
};
