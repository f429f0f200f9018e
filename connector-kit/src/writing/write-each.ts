import type { Outcome, Write } from "../destination.ts";
import type { Removed } from "../removed.ts";
import type { Io } from "../io.ts";
import { removeRecord, writeRecord } from "../write-record.ts";

interface Sequences<T> {
  /** Records of one sequence are written one after the other; sequences run in parallel. Left out: all in one sequence. */
  sequence?(record: T): string;
  /** How many sequences run at a time; by default 4. */
  readonly concurrency?: number;
}

/** Writes the records of a batch, each with requests of its own. */
export const writeEach = async <T, S>(
  io: Io<S>,
  batch: readonly Write<T>[],
  writeOne: (io: Io<S>, write: Write<T>) => Promise<Outcome<T>>,
  { sequence = () => "", concurrency = 4 }: Sequences<T> = {},
): Promise<readonly Outcome<T>[]> => {
  const waiting = [...Map.groupBy(batch.entries(), ([, { record }]) => sequence(record)).values()];
  const outcomes: Outcome<T>[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      for (const [index, write] of next)
        outcomes[index] = await writeRecord(io, write, (watched) => writeOne(watched, write));
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
  return outcomes;
};

/** Removes records one after the other, each with requests of its own. */
export const removeEach = async (
  what: readonly { readonly id: string; readonly key: string }[],
  remove: (id: string, key: string) => Promise<Removed>,
): Promise<readonly Removed[]> => {
  const done: Removed[] = [];
  for (const { id, key } of what) done.push(await removeRecord(() => remove(id, key)));
  return done;
};
