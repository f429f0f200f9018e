import type { Cursor, FamilyRecord, Io, SourceStream } from "@portage/connector-kit";
import type { Outcome } from "./messages.ts";

interface Needs<S> {
  readonly io: Io<S>;
  readonly stream: SourceStream<FamilyRecord, S>;
  readonly count: number;
  readonly warmUp: number;
  readonly block: number;
  readonly keep: (page: unknown) => void;
}

const cpuMicros = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Reads as the engine does: page by page, keeping only the cursor. Measures time at the ends of pages. */
export const readRecords = async <S>(needs: Needs<S>): Promise<Outcome> => {
  const { io, stream, count, warmUp, block, keep } = needs;
  const takenAt = new Map<number, number>();
  const wanted = new Set([warmUp, warmUp + block, count - block, count]);
  let read = 0;
  let inOrder = true;
  let cursor: Cursor | null = null;
  do {
    const page = await stream.readPage(io, { cursor, since: null, parentId: null });
    for (const { id } of page.records) {
      read += 1;
      inOrder &&= id === String(read);
    }
    if (wanted.has(read)) takenAt.set(read, cpuMicros());
    keep(page.records);
    cursor = page.next;
  } while (cursor !== null && read < count);
  const perRecord = (end: number) =>
    ((takenAt.get(end) ?? Number.NaN) - (takenAt.get(end - block) ?? Number.NaN)) / block;
  return {
    count: read,
    complete: inOrder && read === count,
    firstMicros: perRecord(warmUp + block),
    lastMicros: perRecord(count),
  };
};
