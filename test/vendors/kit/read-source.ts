import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type {
  At,
  Connector,
  Cursor,
  FamilyRecord,
  Io,
  SourceStream,
  Unreadable,
} from "@portage/connector-kit";
import { expect } from "vitest";

type Source<S> = SourceStream<FamilyRecord, S>;
/** The records of each stream. */
export type Read = ReadonlyMap<string, readonly FamilyRecord[]>;

const streamsOf = <S>({ source }: Connector<S>) => (source?.helpdesk ?? []) as readonly Source<S>[];

export const sourceStream = <S>(connector: Connector<S>, name: string): Source<S> => {
  const found = streamsOf(connector).find(({ stream }) => stream.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

const mostPages = 500;

/** Reads a stream as the engine does: each page with an `Io` of its own, and waits where it is told to. */
export const readStream = async <S>(
  stream: Source<S>,
  newIo: () => Io<S>,
  at: Partial<At> = {},
  afterPage: (records: readonly FamilyRecord[]) => void = () => {},
) => {
  const records: FamilyRecord[] = [];
  const unreadable: Unreadable[] = [];
  let cursor: Cursor | null = null;
  let waitedMs = 0;
  for (let pages = 1; ; pages += 1) {
    if (pages > mostPages) throw new Error(`${stream.stream.name} does not end`);
    const page: Awaited<ReturnType<Source<S>["readPage"]>> = await stream.readPage(newIo(), {
      since: null,
      parentId: null,
      ...at,
      cursor,
    });
    records.push(...page.records);
    unreadable.push(...(page.unreadable ?? []));
    afterPage(page.records);
    cursor = page.next;
    waitedMs += page.waitMs ?? 0;
    if (cursor === null) return { records, unreadable, waitedMs };
    if (page.waitMs) await wait(page.waitMs);
  }
};

/** Reads all streams, per parent where they are read so; what does not read changes alone is read as a whole. */
export const readSource = async <S>(connector: Connector<S>, newIo: () => Io<S>, at: Partial<At> = {}) => {
  const read = new Map<string, readonly FamilyRecord[]>();
  const unreadable: Unreadable[] = [];
  for (const stream of streamsOf(connector)) {
    const parents = stream.perParent ? (read.get(stream.perParent) ?? []).map(({ id }) => id) : [null];
    const records: FamilyRecord[] = [];
    for (const parentId of parents) {
      const since = stream.delta ? (at.since ?? null) : null;
      const part = await readStream(stream, newIo, { ...at, since, parentId });
      records.push(...part.records);
      unreadable.push(...part.unreadable);
    }
    read.set(stream.stream.name, records);
  }
  return { read, unreadable };
};

/** The SHA-256 of a file's bytes. */
export const digestOfFile = async <S>(
  connector: Connector<S>,
  io: Io<S>,
  record: FamilyRecord,
): Promise<string> => {
  const file = await sourceStream(connector, "attachments").openFile?.(io, record);
  if (!file) throw new Error("no file");
  const hash = createHash("sha256");
  for await (const chunk of await file.open()) hash.update(chunk);
  return hash.digest("hex");
};

const byId = <T extends { readonly id: string }>(rows: readonly T[]) =>
  rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/**
 * The streams in which what was read differs from the tool's own tables, each with how. Only the fields that the first row of
 * `expected` has are compared; `shown` turns a value of a record into the form of the tables.
 */
export const differingStreams = (
  expected: Readonly<Record<string, readonly { readonly id: string }[]>>,
  read: Read,
  shown: (stream: string, field: string, value: unknown) => unknown = (_stream, _field, value) => value,
): readonly { readonly stream: string; readonly how: string }[] =>
  Object.entries(expected).flatMap(([stream, rows]) => {
    const fields = Object.keys(rows[0] ?? { id: "" });
    const got = (read.get(stream) ?? []).map((record) => ({
      id: record.id,
      ...Object.fromEntries(
        fields.map((field) => [
          field,
          shown(stream, field, (record as unknown as Readonly<Record<string, unknown>>)[field]),
        ]),
      ),
    }));
    try {
      expect(byId(got)).toEqual(byId(rows));
      return [];
    } catch (error) {
      return [{ stream, how: error instanceof Error ? error.message.slice(0, 1_500) : String(error) }];
    }
  });
