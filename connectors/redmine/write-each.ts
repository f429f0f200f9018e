import {
  type FindQuery,
  type FamilyRecord,
  type Outcome,
  removeRecord,
  type Removed,
  type Write,
  writeRecord,
} from "@portage/connector-kit";
import { catalogOf } from "./catalog.ts";
import { changesBetween, type Reasons } from "./field-changes.ts";
import type { RedmineIo } from "./settings.ts";

export interface Made<T> {
  readonly id: string;
  readonly record: T;
}

export interface Writer<T extends FamilyRecord> {
  readonly reasons: Reasons;
  find(io: RedmineIo, asked: readonly FindQuery[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Creates a record and returns it as Redmine shows it. `matched`: an existing record that is the same one. */
  create(io: RedmineIo, write: Write<T>): Promise<Made<T> | { readonly matched: string }>;
  change(io: RedmineIo, write: Write<T>, id: string): Promise<Made<T>>;
  /** Records of one lane are written sequentially; lanes run in parallel. */
  lane(record: T): string;
  parentId?(record: T): string;
}

const concurrency = 4;

const writeOne = async <T extends FamilyRecord>(
  io: RedmineIo,
  writer: Writer<T>,
  write: Write<T>,
  known: string | undefined,
): Promise<Outcome<T>> => {
  if (write.id === null && known !== undefined) return { kind: "matched", id: known };
  const made = write.id === null ? await writer.create(io, write) : await writer.change(io, write, write.id);
  if ("matched" in made) return { kind: "matched", id: made.matched };
  return {
    kind: "written",
    id: made.id,
    record: made.record,
    changes: changesBetween(write.record, made.record, writer.reasons),
  };
};

/** Writes a batch. It skips records whose key already exists, so a repeated write creates no duplicate. */
export const writeEach = async <T extends FamilyRecord>(
  io: RedmineIo,
  writer: Writer<T>,
  batch: readonly Write<T>[],
): Promise<readonly Outcome<T>[]> => {
  await catalogOf(io).account();
  const since = new Date(0);
  const asked = batch
    .filter(({ id }) => id === null)
    .map(({ key, record }) => {
      const parentId = writer.parentId?.(record);
      return { key, since, ...(parentId === undefined ? {} : { parentId }) };
    });
  const there = asked.length > 0 ? await writer.find(io, asked) : new Map<string, readonly string[]>();
  const lanes = Map.groupBy(batch.entries(), ([, { record }]) => writer.lane(record));
  const waiting = [...lanes.values()];
  const outcomes: Outcome<T>[] = [];
  const work = async () => {
    for (let lane = waiting.shift(); lane; lane = waiting.shift())
      for (const [index, write] of lane)
        outcomes[index] = await writeRecord(io, write, (watched) =>
          writeOne(watched, writer, write, there.get(write.key)?.[0]),
        );
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
  return outcomes;
};

/** Removes each record that still exists and still has its key. */
export const removeEach = async (
  io: RedmineIo,
  what: readonly { readonly id: string; readonly key: string }[],
  remove: (id: string, key: string) => Promise<Removed>,
): Promise<readonly Removed[]> => {
  await catalogOf(io).account();
  const done: Removed[] = [];
  for (const { id, key } of what) done.push(await removeRecord(() => remove(id, key)));
  return done;
};

export const gone: Removed = { kind: "removed" };

export const kept = (code: string, message: string): Removed => ({ kind: "kept", code, message });

export const otherKey: Removed = kept("other_key", "The record does not have the key of the copy.");

/** Ids per key, from rows that contain their key. */
export const idsByKey = (
  asked: readonly FindQuery[],
  found: readonly { readonly key: string | null; readonly id: string }[],
): ReadonlyMap<string, readonly string[]> =>
  new Map(asked.map(({ key }) => [key, found.filter((one) => one.key === key).map(({ id }) => id)] as const));
