import type {
  Cursor,
  DestinationStream,
  FamilyRecord,
  FileBody,
  Io,
  SourceStream,
  Write,
} from "@portage/connector-kit";
import type { Outcome } from "./messages.ts";

interface Needs<S> {
  readonly from: Io<S>;
  readonly to: Io<S>;
  readonly source: SourceStream<FamilyRecord, S>;
  readonly destination: DestinationStream<FamilyRecord, S>;
  readonly keep: (piece: unknown) => void;
}

export const keyPrefix = "memory:";

const watched = (file: FileBody, keep: (piece: unknown) => void): FileBody => ({
  ...file,
  async *open() {
    for await (const piece of await file.open()) {
      keep(piece);
      yield piece;
    }
  },
});

/** Copies as the engine does: a batch concurrently, each file from socket to socket. */
export const copyFiles = async <S>({ from, to, source, destination, keep }: Needs<S>): Promise<Outcome> => {
  const toWrite = async (record: FamilyRecord): Promise<Write<FamilyRecord>> => {
    const file = await source.openFile?.(from, record);
    if (!file) throw new Error("The source has no files.");
    return { key: `${keyPrefix}${record.id}`, record, id: null, file: watched(file, keep) };
  };
  let count = 0;
  let complete = true;
  let cursor: Cursor | null = null;
  do {
    const page = await source.readPage(from, { cursor, since: null, parentId: null });
    for (let start = 0; start < page.records.length; start += destination.batchSize) {
      const records = page.records.slice(start, start + destination.batchSize);
      const outcomes = await destination.write(to, await Promise.all(records.map(toWrite)));
      complete &&= outcomes.every(({ kind }) => kind === "written");
      count += outcomes.length;
    }
    cursor = page.next;
  } while (cursor !== null);
  return { count, complete, firstMicros: Number.NaN, lastMicros: Number.NaN };
};
