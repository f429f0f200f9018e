import {
  changesOnTheWay,
  type FamilyStream,
  type FindQuery,
  type Reasons,
  type FamilyRecord,
  type FieldChange,
  type Outcome,
  removeRecord,
  type Removed,
  type Write,
  writeRecord,
} from "@portage/connector-kit";
import { isRefusal } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import type { RedmineIo } from "./settings.ts";

export interface Made<T> {
  readonly id: string;
  /** As Redmine shows it now. */
  readonly record: T;
  /**
   * As Redmine would show what was sent. Only a field that Redmine refused by an error has the value that it shows: nothing
   * else may be taken from its answer.
   */
  readonly sent: T;
  /** What Redmine refused beside the record itself. */
  readonly changes?: readonly FieldChange[];
}

/** Redmine does not have the record: the connector has looked. */
export interface Refused {
  readonly refused: { readonly code: string; readonly message: string };
}

export const refused = (code: string, message: string): Refused => ({ refused: { code, message } });

export interface Writer<T extends FamilyRecord> {
  readonly stream: FamilyStream<T>;
  readonly reasons: Reasons;
  find(io: RedmineIo, asked: readonly FindQuery[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Creates a record and returns it as Redmine shows it. `matched`: an existing record that is the same one. */
  create(io: RedmineIo, write: Write<T>): Promise<Made<T> | Refused | { readonly matched: string }>;
  change(io: RedmineIo, write: Write<T>, id: string): Promise<Made<T>>;
  /** Records of one lane are written sequentially; lanes run in parallel. */
  lane(record: T): string;
  /** For `find`, if it needs the parent. */
  parentOf?(record: T): Pick<FindQuery, "parentId" | "parentStream">;
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
  if ("refused" in made) return { kind: "rejected", ...made.refused };
  return {
    kind: "written",
    id: made.id,
    record: made.record,
    changes: [
      ...changesOnTheWay(writer.stream, write.record, made.sent, writer.reasons),
      ...(made.changes ?? []),
    ],
  };
};

type Existing = ReadonlyMap<string, readonly string[]>;

/** The keys that exist already; null if Redmine does not show where one of them would be: then each is asked for alone. */
const findAll = async <T extends FamilyRecord>(
  io: RedmineIo,
  { find }: Writer<T>,
  asked: readonly FindQuery[],
): Promise<Existing | null> => {
  if (asked.length === 0) return new Map();
  try {
    return await find(io, asked);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
};

/** Writes a batch. It skips records whose key already exists, so a repeated write creates no duplicate. */
export const writeEach = async <T extends FamilyRecord>(
  io: RedmineIo,
  writer: Writer<T>,
  batch: readonly Write<T>[],
): Promise<readonly Outcome<T>[]> => {
  await catalogOf(io).account();
  const since = new Date(0);
  const askedFor = ({ key, record }: Write<T>): FindQuery => ({ key, since, ...writer.parentOf?.(record) });
  const there = await findAll(io, writer, batch.filter(({ id }) => id === null).map(askedFor));
  const knownOf = async (write: Write<T>): Promise<string | undefined> => {
    if (write.id !== null) return undefined;
    const found = there ?? (await writer.find(io, [askedFor(write)]));
    return found.get(write.key)?.[0];
  };
  const lanes = Map.groupBy(batch.entries(), ([, { record }]) => writer.lane(record));
  const waiting = [...lanes.values()];
  const outcomes: Outcome<T>[] = [];
  const work = async () => {
    for (let lane = waiting.shift(); lane; lane = waiting.shift())
      for (const [index, write] of lane)
        outcomes[index] = await writeRecord(io, write, async (watched) =>
          writeOne(watched, writer, write, await knownOf(write)),
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
