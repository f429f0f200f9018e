import { noCounts } from "../chunk/lease.ts";
import { readByIds } from "../copy/read-by-ids.ts";
import { compareCopies, countComparisons } from "./compare-copies.ts";
import { comparePage, isInPages, pagesFromStart } from "./compare-page.ts";
import { type LedgerRow, listRows } from "../ledger/store-ledger.ts";
import { settle } from "../ledger/store-settle.ts";
import { markRows, metAfter, metById } from "../ledger/store-sweep.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { type ChunkContext, pairOf } from "../chunk/chunk-context.ts";
import { type Budget, isAtEnd, type Position, positionAfter, cursorOf, type TaskEnd } from "../chunk/task.ts";

export interface VerifySlice {
  /** The run whose sweep counted the source; null: there was none. */
  readonly sweptBy: number | null;
  /** One in this many copies is read back; 1: all of them. A delta reads back all that it wrote, besides. */
  readonly oneOf: number;
}

const maxRowsPerPage = 1_000;
/** A page of rows ends after this many queries to a tool: it must fit within a lease. */
const queriesPerPage = 100;
/** Each file is read in full, on both sides. */
const filesPerPage = 8;
/** Per cause: enough to see what it is about. */
const maxPerCause = 3;

/** Picks by the copy's own hash: spread evenly, and the same ones whenever a page is read again. */
const isPicked = ({ sourceHash }: LedgerRow, oneOf: number) =>
  oneOf <= 1 || sourceHash === null || Number.parseInt(sourceHash.slice(0, 8), 16) % oneOf === 0;

/** The first rows, up to as many as a tool can be asked about. */
const firstOf = (rows: readonly LedgerRow[], most: number, isAsked: (row: LedgerRow) => boolean) => {
  let asked = 0;
  const end = rows.findIndex((row) => {
    asked += isAsked(row) ? 1 : 0;
    return asked > most;
  });
  return end < 0 ? rows : rows.slice(0, end);
};

/**
 * Adds up the outcome of every record, and compares copies with the source: each record is read once more in both tools, mapped
 * as the copy mapped it, and compared field by field, files byte by byte. Where the source's pages cost it less than single
 * records, these come first, and only what they did not settle is read by its id.
 */
export const verifyTask = async (ctx: ChunkContext, book: TallyBook, budget: Budget): Promise<TaskEnd> => {
  const { db, lease, times } = ctx;
  const { sweptBy, oneOf } = (lease.slice as VerifySlice | null) ?? { sweptBy: null, oneOf: 1 };
  const isMet = ({ swept }: LedgerRow) => sweptBy !== null && swept === metAfter(sweptBy);
  const isUnseen = (row: LedgerRow) => sweptBy !== null && row.swept !== sweptBy && !isMet(row);
  // Pages of the source have settled it already, and it is counted.
  const isSettled = ({ compared }: LedgerRow) => compared === lease.runNumber;
  const isCompared = (row: LedgerRow) =>
    row.state === "written" &&
    !isSettled(row) &&
    (isPicked(row, oneOf) || (lease.kind === "delta" && row.runNumber === lease.runNumber));
  const most = pairOf(ctx).from.stream.kind === "file" ? filesPerPage : queriesPerPage;
  const byPages = pairOf(ctx).from.cheaperByPages === true && lease.kind !== "sample";
  const rowsPerPage = byPages ? maxRowsPerPage : Math.min(maxRowsPerPage, most * oneOf);
  let at = (lease.cursor as Position) ?? (byPages ? pagesFromStart : null);
  for (;;) {
    if (isAtEnd(at)) return { kind: "ended" };
    if (budget.isSpent()) return { kind: "more" };
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    const place = cursorOf(at);
    if (isInPages(place)) {
      budget.spend();
      // What the sweep did not see may be deleted, though a page shows it: its id decides.
      const which = { isCompared: (row: LedgerRow) => isCompared(row) && !isUnseen(row), atATime: most };
      const page = await comparePage(ctx, place, which, book);
      if (page.kind !== "compared") return page;
      budget.done.read += page.count;
      at = page.next;
      if (page.waitMs > 0) return { kind: "later", delayMs: page.waitMs };
      continue;
    }
    const listed = await listRows(db, lease, { after: place as string | null, limit: rowsPerPage });
    if (listed.length === 0) return { kind: "ended", tallies: book.all() };
    const isAsked = (row: LedgerRow) => isUnseen(row) || isCompared(row);
    const rows = firstOf(listed, most, isAsked);
    budget.spend();
    const read = await readByIds(
      ctx,
      rows.filter(isAsked).map(({ sourceId }) => sourceId),
    );
    const ofItsId = read.unreadable.filter(({ elsewhere }) => elsewhere !== true);
    const inSource = new Set([...read.records, ...ofItsId].map(({ id }) => id));
    // An unswept record that has its id in the source does not count as deleted: rows move during a count.
    const there = new Set(
      rows.filter((row) => isUnseen(row) && inSource.has(row.sourceId)).map(({ sourceId }) => sourceId),
    );
    const isDeleted = (row: LedgerRow) => isUnseen(row) && !there.has(row.sourceId);
    if (sweptBy !== null) await markRows(db, lease, { ids: [...there], mark: metAfter(sweptBy) });
    for (const row of rows) {
      const { sourceId, state, reason } = row;
      const seen = isDeleted(row) ? "deleted" : "source";
      book.count(`row|${seen}|${state}|${reason ?? ""}`);
      // Marked by an attempt that did not finish, or by the check of an earlier run: it counts each time.
      if (isMet(row) || there.has(sourceId)) book.count(metById);
      if (reason !== null) book.example(`${state}/${reason}`, sourceId, maxPerCause);
    }
    const toCompare = rows.filter((row) => isCompared(row) && !isDeleted(row));
    countComparisons(book, await compareCopies(ctx, toCompare, read));
    const isLast = listed.length < rowsPerPage && rows.length === listed.length;
    const next = positionAfter(isLast ? null : (rows.at(-1)?.sourceId ?? null));
    const held = await settle(
      db,
      lease,
      {
        rows: [],
        counts: { ...noCounts, read: rows.filter((row) => !isSettled(row)).length },
        tallies: book.all(),
        cursor: { to: next },
        inDoubt: null,
      },
      times,
    );
    if (!held) return { kind: "fenced" };
    budget.done.read += rows.length;
    at = next;
  }
};
