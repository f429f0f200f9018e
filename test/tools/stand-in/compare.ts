import { createHash } from "node:crypto";
import type { FamilyRecord } from "@portage/connector-kit";
import type { SourceRows } from "./source-rows.ts";
import { byHand, type WrittenRow, type WrittenRows } from "./written-rows.ts";

/** One stream of the source compared with its copies. */
export interface Compared {
  readonly source: number;
  readonly written: number;
  /** Rows of the source without a copy. */
  readonly missing: number;
  readonly missingIds: readonly string[];
  /** Copies beyond the first: of one key, or of one row of the source. */
  readonly doubled: number;
  readonly doubledIds: readonly string[];
  /** When those copies were created. */
  readonly doubledAt: Readonly<Record<string, readonly number[]>>;
  /** Copies of rows that the source no longer has. */
  readonly gone: number;
  /** Copies of an older version than the source's. */
  readonly stale: number;
  /** Copies that differ from the source's row of the same version. */
  readonly differing: number;
  readonly differingIds: readonly string[];
}

const rowsPerTurn = 2_000;
const maxNamed = 20;
const longestTitle = 255;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Yields to the event loop: the tool still answers during a comparison. */
async function* inTurns(rows: Iterable<WrittenRow>): AsyncGenerator<WrittenRow> {
  let count = 0;
  for (const row of rows) {
    count += 1;
    if (count % rowsPerTurn === 0) await nextTurn();
    yield row;
  }
}

/** The fields that no mapping and no destination changes: enough to tell records apart. */
const essence = (record: FamilyRecord): string => {
  const { subject, title, name, createdAt, tags } = record as FamilyRecord &
    Record<string, string | undefined>;
  return JSON.stringify([(subject ?? title ?? name)?.slice(0, longestTitle), createdAt, tags]);
};

/**
 * `before`: only rows that were visible before this moment count as missing. Rows that appeared during a pass may or
 * may not be in it.
 */
export const compareStream = async (
  rows: SourceRows,
  written: WrittenRows,
  before: number | null,
): Promise<Compared> => {
  const last = rows.last();
  const copies = new Uint8Array(last + 1);
  const keys = new Set<string>();
  const named = { missing: [] as string[], doubled: [] as string[], differing: [] as string[] };
  const count = { written: 0, missing: 0, doubled: 0, gone: 0, stale: 0, differing: 0 };
  const note = (what: keyof typeof named, id: string) => {
    count[what] += 1;
    if (named[what].length < maxNamed) named[what].push(id);
  };
  const hasDoubledKeys = written.duplicates() > 0;
  for await (const { key, sourceId, record } of inTurns(written.all())) {
    if (key === byHand) continue;
    count.written += 1;
    const number = Number(sourceId);
    const isKnown = Number.isInteger(number) && number >= 1 && number <= last;
    const isDouble = (isKnown && (copies[number] ?? 0) > 0) || (hasDoubledKeys && keys.has(key));
    if (isDouble) note("doubled", sourceId);
    if (hasDoubledKeys) keys.add(key);
    if (isKnown) copies[number] = 1;
    const row = isKnown ? rows.record(number) : null;
    if (!row) count.gone += 1;
    else if (row.updatedAt !== record.updatedAt) count.stale += 1;
    else if (essence(row) !== essence(record)) note("differing", sourceId);
  }
  for (let number = 1; number <= last; number += 1) {
    if (number % rowsPerTurn === 0) await nextTurn();
    if (copies[number] || !rows.has(number)) continue;
    if (before === null || rows.seenSince(number) < before) note("missing", String(number));
  }
  const doubledAt: Record<string, number[]> = {};
  if (count.doubled > 0)
    for await (const { sourceId, madeAt } of inTurns(written.all()))
      if (named.doubled.includes(sourceId)) (doubledAt[sourceId] ??= []).push(madeAt);
  return {
    source: rows.count(),
    ...count,
    missingIds: named.missing,
    doubledIds: named.doubled,
    doubledAt,
    differingIds: named.differing,
  };
};

/** An order-independent digest of the rows: shows whether anything changed. */
export const digestOf = async (written: WrittenRows): Promise<string> => {
  const total = Buffer.alloc(32);
  for await (const { id, key, record, file } of inTurns(written.all())) {
    const said = Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const digest = createHash("sha256")
      .update(JSON.stringify([id, key, said, file?.sha256 ?? null]))
      .digest();
    for (let place = 0; place < 32; place += 8) {
      const sum = total.readBigUInt64LE(place) + digest.readBigUInt64LE(place);
      total.writeBigUInt64LE(BigInt.asUintN(64, sum), place);
    }
  }
  return total.toString("hex");
};
