import { keyOfCopy, parentIn, destinationHash } from "../ledger/keys.ts";
import { noCounts } from "../chunk/lease.ts";
import { type CopyRead, findCopies, readCopies, recordOf } from "../copy/look-up.ts";
import { readByIds } from "../copy/read-by-ids.ts";
import type { DestinationStream } from "@portage/connector-kit";
import { type LedgerRow, listRows } from "../ledger/store-ledger.ts";
import { settle } from "../ledger/store-settle.ts";
import { markMet, metAfter, metById } from "./store-sweep.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { type Budget, isAtEnd, type Position, positionAfter, cursorOf, type TaskEnd } from "../chunk/task.ts";

export interface VerifySlice {
  /** The run whose sweep counted the source; null: there was none. */
  readonly sweptBy: number | null;
  /** One in this many copies is read back; 1: all of them. */
  readonly oneOf: number;
}

const maxRowsPerPage = 1_000;
/** A page of rows ends after this many queries to a tool: it must fit within a lease. */
const queriesPerPage = 100;
const maxExamples = 20;
/** Per cause: enough to see what it is about. */
const maxPerCause = 3;

/** Picks by the copy's own hash: spread evenly, and the same ones whenever a page is read again. */
const isPicked = ({ sourceHash }: LedgerRow, oneOf: number) =>
  oneOf <= 1 || sourceHash === null || sourceHash.readUInt32BE(0) % oneOf === 0;

/** The first rows, up to as many as a tool can be asked about. */
const firstOf = (rows: readonly LedgerRow[], isAsked: (row: LedgerRow) => boolean) => {
  let asked = 0;
  const end = rows.findIndex((row) => {
    asked += isAsked(row) ? 1 : 0;
    return asked > queriesPerPage;
  });
  return end < 0 ? rows : rows.slice(0, end);
};

const verdictOf = (
  { destHash }: LedgerRow,
  copy: CopyRead | undefined,
  to: Pick<DestinationStream, "volatileFields">,
): "same" | "differs" | "gone" | "refused" => {
  if (copy?.kind === "refused") return "refused";
  const record = recordOf(copy);
  if (!record) return "gone";
  return destHash === null || destinationHash(record, to).equals(destHash) ? "same" : "differs";
};

const compare = async (ctx: ChunkContext, rows: readonly LedgerRow[], book: TallyBook) => {
  const { from, to } = pairOf(ctx);
  const copies = rows.flatMap((row) => (row.destId === null ? [] : [{ ...row, destId: row.destId }]));
  if (!to || copies.length === 0) return;
  const now = await readCopies(
    ctx,
    copies.map(({ destId }) => destId),
  );
  const keyed = copies.map((row, index) => ({
    key: keyOfCopy(ctx.lease, row),
    since: new Date(0),
    ...parentIn(from.stream, recordOf(now[index])),
  }));
  const found = await findCopies(ctx, keyed);
  copies.forEach((row, index) => {
    const verdict = verdictOf(row, now[index], to);
    book.count(`verified|${verdict}`);
    if (verdict !== "same") book.example(verdict, row.sourceId, maxExamples);
    const same = found[index];
    const times = same?.kind === "found" ? same.ids.length : 0;
    if (times > 1) {
      book.count("verified|doubled", times - 1);
      book.example("doubled", row.sourceId, maxExamples);
    }
  });
};

/** Reads unswept records by their id before they count as deleted: rows move during a count. */
const stillThere = async (ctx: ChunkContext, unseen: readonly LedgerRow[]): Promise<ReadonlySet<string>> => {
  const { records } = await readByIds(
    ctx,
    unseen.map(({ sourceId }) => sourceId),
  );
  return new Set(records.map(({ id }) => id));
};

/** Adds up the outcome of every record, and reads copies back to check that they are what was written. */
export const verifyTask = async (ctx: ChunkContext, book: TallyBook, budget: Budget): Promise<TaskEnd> => {
  const { db, lease, times } = ctx;
  const { sweptBy, oneOf } = (lease.slice as VerifySlice | null) ?? { sweptBy: null, oneOf: 1 };
  const isMet = ({ swept }: LedgerRow) => sweptBy !== null && swept === metAfter(sweptBy);
  const isUnseen = (row: LedgerRow) => sweptBy !== null && row.swept !== sweptBy && !isMet(row);
  const isCompared = (row: LedgerRow) => row.state === "written" && isPicked(row, oneOf);
  const rowsPerPage = Math.min(maxRowsPerPage, queriesPerPage * oneOf);
  let at = lease.cursor as Position;
  for (;;) {
    if (isAtEnd(at)) return { kind: "ended" };
    if (budget.isSpent()) return { kind: "more" };
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    const listed = await listRows(db, lease, { after: cursorOf(at) as string | null, limit: rowsPerPage });
    const rows = firstOf(listed, (row) => isUnseen(row) || isCompared(row));
    budget.spend();
    const there = await stillThere(ctx, rows.filter(isUnseen));
    if (sweptBy !== null) await markMet(db, lease, { ids: [...there], sweptBy });
    for (const row of rows) {
      const { sourceId, state, reason } = row;
      const seen = !isUnseen(row) || there.has(sourceId) ? "source" : "deleted";
      book.count(`row|${seen}|${state}|${reason ?? ""}`);
      // Marked by an attempt that did not finish, or by the check of an earlier run: it counts each time.
      if (isMet(row) || there.has(sourceId)) book.count(metById);
      if (reason !== null) book.example(`${state}/${reason}`, sourceId, maxPerCause);
    }
    await compare(ctx, rows.filter(isCompared), book);
    const isLast = listed.length < rowsPerPage && rows.length === listed.length;
    const next = positionAfter(isLast ? null : (rows.at(-1)?.sourceId ?? null));
    const held = await settle(
      db,
      lease,
      {
        rows: [],
        counts: { ...noCounts, read: rows.length },
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
