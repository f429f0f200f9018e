import { changesOnTheWay } from "../compare-records.ts";
import type { DestinationStream, FieldChange, FindQuery, Outcome, Write } from "../destination.ts";
import type { Removed } from "../removed.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { Io } from "../io.ts";
import { isRefusal } from "../refusals.ts";
import { findByKey, hasKey, type KeyPlace } from "./find-by-key.ts";
import { dropsOf, fitTo, type Holds, reasonsOf } from "./holds.ts";
import { hasOthers } from "./others-added.ts";
import { keyDiffers, othersAdded, rejected, removed } from "./outcomes.ts";
import { removeEach, writeEach } from "./write-each.ts";
import { type Together, writeTogether } from "./write-together.ts";

/** A written copy. */
export interface Made<T, R> {
  /** As the tool shows it now. */
  readonly row: R;
  /**
   * As the tool would show what was sent; left out: the record, as far as `holds` fits it. Only a field that the tool refused by
   * an error has the value that it shows: nothing else may be taken from its answer.
   */
  readonly sent?: R;
  /** Fields of what was sent that no row shows. */
  readonly fields?: Partial<T>;
  /** What the tool refused beside the record itself. */
  readonly changes?: readonly FieldChange[];
}

type Written<T, R> = Made<T, R> | Outcome<T>;

type Derived = "batchSize" | "idempotency" | "drops" | "find" | "write" | "read" | "isUntouched" | "remove";

export interface RecordStream<T extends FamilyRecord, R, S> extends Omit<DestinationStream<T, S>, Derived> {
  /** By default 20. */
  readonly batchSize?: number;
  readonly holds: Holds;
  readonly key: KeyPlace<R, S>;
  id(row: R): string;
  /** Rows by id, without those that no longer exist, in any order. */
  byIds(io: Io<S>, ids: readonly string[]): Promise<readonly R[]>;
  /** The copy as a record of the family, without what the import added to it: its key, its last line. */
  toRecord(row: R, io: Io<S>): T | Promise<T>;
  /** Before each call: what must hold for all of them. */
  ready?(io: Io<S>): Promise<unknown>;
  /** Left out: `together` creates. */
  create?(io: Io<S>, write: Write<T>): Promise<Written<T, R>>;
  /** For a call that creates several records and answers for each, in place of `create` and `looksFirst`. */
  readonly together?: Omit<Together<T, object, Written<T, R>, S>, "outcome">;
  /** Left out: the tool can't change such a record. */
  change?(io: Io<S>, write: Write<T>, row: R): Promise<Written<T, R>>;
  /** Left out: the tool can't remove such a record. Nothing returned: it is removed. */
  remove?(io: Io<S>, row: R): Promise<Removed | void>;
  /**
   * The keys of all that the tool would remove with the record: replies, notes, files; null for what no import wrote, which keeps
   * the record. Called right before `remove`. Left out: nothing goes with it.
   */
  keysOn?(io: Io<S>, row: R): Promise<readonly (string | null)[]>;
  /** Whether a copy is as our last write left it (`matchesChecksum`). */
  isUntouched?(row: R, io: Io<S>): boolean | Promise<boolean>;
  /** Records of one sequence are written one after the other; left out: all. */
  sequence?(record: T): string;
  /** True: `write` looks for the keys first, for tools where a late write is likely. */
  readonly looksFirst?: boolean;
  /** For `looksFirst`, if `find` needs the parent. */
  parentOf?(record: T): Pick<FindQuery, "parentId" | "parentStream">;
}

/** The keys that exist already; null if the tool does not show where one of them would be: then each is asked for alone. */
const findAll = async (
  find: (asked: readonly FindQuery[]) => Promise<ReadonlyMap<string, readonly string[]>>,
  asked: readonly FindQuery[],
) => {
  try {
    return await find(asked);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
};

/**
 * A writable stream from the tool's own calls: where a copy holds its key, how to read, create, change and remove a row, and
 * what each field can hold. Spread it to replace a part that is different.
 */
export const recordStream = <T extends FamilyRecord, R, S>(
  of: RecordStream<T, R, S>,
): DestinationStream<T, S> => {
  const { holds, key, id, byIds, toRecord, ready, create, change, remove, isUntouched, ...kept } = of;
  const { keysOn, together, sequence, looksFirst, parentOf, batchSize = 20, ...rest } = kept;
  const reasons = reasonsOf(holds);
  const fit = (write: Write<T>): Write<T> => ({ ...write, record: fitTo(holds, write.record) });
  const lookUp = (io: Io<S>, asked: readonly FindQuery[]) => findByKey(io, key, id, asked);
  const rowsOf = async (io: Io<S>, ids: readonly string[]): Promise<readonly (R | undefined)[]> => {
    const rows = ids.length === 0 ? [] : await byIds(io, [...new Set(ids)]);
    const found = new Map(rows.map((row) => [id(row), row]));
    return ids.map((each) => found.get(each));
  };
  const writtenOf = async (io: Io<S>, write: Write<T>, fitted: T, made: Made<T, R>): Promise<Outcome<T>> => {
    const { row, sent, fields, changes = [] } = made;
    const record = await toRecord(row, io);
    const base = sent ? await toRecord(sent, io) : fields ? record : fitted;
    const onTheWay = changesOnTheWay(rest.stream, write.record, { ...base, ...fields }, reasons);
    const declared = new Set(changes.map(({ field }) => field));
    return {
      kind: "written",
      id: id(row),
      record,
      changes: [...onTheWay.filter(({ field }) => !declared.has(field)), ...changes],
    };
  };
  const send = async (io: Io<S>, write: Write<T>): Promise<Written<T, R>> => {
    if (write.id === null)
      return create?.(io, write) ?? rejected("not_creatable", "The tool can't create such a record.");
    const [row] = await rowsOf(io, [write.id]);
    if (row === undefined) return rejected("not_found", "The record no longer exists.");
    if (!(await hasKey(io, key, row, write.key)))
      return rejected("not_ours", "This import did not create this record.");
    return change?.(io, write, row) ?? rejected("not_changeable", "The tool can't change such a record.");
  };
  const writeOne = async (io: Io<S>, write: Write<T>): Promise<Outcome<T>> => {
    const fitted = fit(write);
    const done = await send(io, fitted);
    return "kind" in done ? done : writtenOf(io, write, fitted.record, done);
  };
  /** The outcomes of the new records of a batch, if the tool takes several in one call. */
  const createTogether = async (io: Io<S>, batch: readonly Write<T>[]) => {
    const fresh = together ? batch.filter((write) => write.id === null) : [];
    const done = together
      ? await writeTogether<T, object, Written<T, R>, S>(io, fresh, {
          atMost: together.atMost,
          draft: (own, write) => together.draft(own, fit(write)),
          send: (own, drafts) => together.send(own, drafts),
          outcome: (own, write, made) =>
            "kind" in made ? made : writtenOf(own, write, fit(write).record, made),
        })
      : [];
    return new Map(fresh.map((write, index) => [write, done[index]]));
  };
  return {
    ...rest,
    batchSize,
    idempotency: key.kind === "upsert" ? "upsert" : "lookup",
    drops: dropsOf(holds),
    async find(io, asked) {
      await ready?.(io);
      return lookUp(io, asked);
    },
    async write(io, batch) {
      await ready?.(io);
      const since = new Date(0);
      const asked = ({ key: own, record }: Write<T>): FindQuery => ({
        key: own,
        since,
        ...parentOf?.(record),
      });
      const created = await createTogether(io, batch);
      const fresh = looksFirst && !together ? batch.filter((write) => write.id === null).map(asked) : [];
      const there = await findAll((queries) => lookUp(io, queries), fresh);
      return writeEach(
        io,
        batch,
        async (watched, write) => {
          const done = created.get(write);
          if (done) return done;
          const found = there ?? (write.id === null ? await lookUp(watched, [asked(write)]) : null);
          const known = write.id === null ? found?.get(write.key)?.[0] : undefined;
          return known === undefined ? writeOne(watched, write) : { kind: "matched", id: known };
        },
        sequence ? { sequence } : {},
      );
    },
    async read(io, ids) {
      await ready?.(io);
      const rows = await rowsOf(io, ids);
      return Promise.all(rows.map(async (row) => (row === undefined ? null : toRecord(row, io))));
    },
    ...(isUntouched && {
      async isUntouched(io: Io<S>, ids: readonly string[]) {
        await ready?.(io);
        const rows = await rowsOf(io, ids);
        return Promise.all(rows.map(async (row) => row !== undefined && isUntouched(row, io)));
      },
    }),
    ...(remove && {
      async remove(io: Io<S>, what: readonly { readonly id: string; readonly key: string }[]) {
        await ready?.(io);
        return removeEach(what, async (each, own) => {
          const [row] = await rowsOf(io, [each]);
          if (row === undefined) return removed;
          if (!(await hasKey(io, key, row, own))) return keyDiffers(await key.of(row, io));
          if (keysOn && hasOthers(own, await keysOn(io, row))) return othersAdded;
          return (await remove(io, row)) ?? removed;
        });
      },
    }),
  };
};
