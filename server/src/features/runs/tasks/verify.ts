import { externalKey } from "../external-key.ts";
import { noCounts } from "../lease.ts";
import { readByIds } from "../page-reader.ts";
import { parentIn } from "../parent-in.ts";
import { destinationHash } from "../record-hash.ts";
import { onSide } from "../sides.ts";
import { type LedgerRow, listRows } from "../store-ledger.ts";
import { settle } from "../store-settle.ts";
import { markMet, metAfter, metById } from "../store-sweep.ts";
import type { TallyBook } from "../tallies.ts";
import { pairOf, type Workplace } from "../workplace.ts";
import { type Budget, hasEnded, type Place, placeAfter, placeAt, type TaskEnd } from "./task.ts";

export interface VerifySlice {
  /** The run whose sweep told what the source had; null: none has been. */
  readonly sweptBy: number | null;
  /** One of so many copies is read back; 1: all of them. */
  readonly oneOf: number;
}

const mostRowsAtOnce = 1_000;
/** A page of rows ends with so many that a tool must be asked about: it must be done within a lease. */
const askedAtOnce = 100;
const mostExamples = 20;
/** Of each cause: enough to see what it is about. */
const mostOfCause = 3;

/** Picks by the copy's own hash: spread evenly, and the same ones whenever a page is read again. */
const isPicked = ({ sourceHash }: LedgerRow, oneOf: number) =>
  oneOf <= 1 || sourceHash === null || sourceHash.readUInt32BE(0) % oneOf === 0;

/** The first rows, up to as many as a tool can be asked about. */
const firstOf = (rows: readonly LedgerRow[], isAsked: (row: LedgerRow) => boolean) => {
  let asked = 0;
  const end = rows.findIndex((row) => {
    asked += isAsked(row) ? 1 : 0;
    return asked > askedAtOnce;
  });
  return end < 0 ? rows : rows.slice(0, end);
};

const compare = async (place: Workplace, rows: readonly LedgerRow[], book: TallyBook) => {
  const { from, to } = pairOf(place);
  const copies = rows.flatMap((row) => (row.destId === null ? [] : [{ ...row, destId: row.destId }]));
  if (!to || copies.length === 0) return;
  const io = place.destination.io(place.signal);
  const now = await onSide("destination", () =>
    to.read(
      io,
      copies.map(({ destId }) => destId),
    ),
  );
  const keyed = copies.map((row, index) => ({
    key: externalKey({ ...place.lease, ...row }),
    since: new Date(0),
    ...parentIn(from.stream, now[index]),
  }));
  const found = await onSide("destination", () => to.find(io, keyed));
  copies.forEach((row, index) => {
    const record = now[index];
    const verdict = !record
      ? "gone"
      : row.destHash === null || destinationHash(record, to).equals(row.destHash)
        ? "same"
        : "differs";
    book.count(`verified|${verdict}`);
    if (verdict !== "same") book.example(verdict, row.sourceId, mostExamples);
    const times = found.get(keyed[index]?.key ?? "")?.length ?? 0;
    if (times > 1) {
      book.count("verified|doubled", times - 1);
      book.example("doubled", row.sourceId, mostExamples);
    }
  });
};

/** What a sweep did not meet is asked for by its id before it is called deleted: rows move under those who count. */
const stillThere = async (place: Workplace, unseen: readonly LedgerRow[]): Promise<ReadonlySet<string>> => {
  const { records } = await readByIds(
    place,
    unseen.map(({ sourceId }) => sourceId),
  );
  return new Set(records.map(({ id }) => id));
};

/** Adds up what became of every record, and reads copies back to see that they are what was written. */
export const verifyTask = async (place: Workplace, book: TallyBook, budget: Budget): Promise<TaskEnd> => {
  const { db, lease, times } = place;
  const { sweptBy, oneOf } = (lease.slice as VerifySlice | null) ?? { sweptBy: null, oneOf: 1 };
  const isMet = ({ swept }: LedgerRow) => sweptBy !== null && swept === metAfter(sweptBy);
  const isUnseen = (row: LedgerRow) => sweptBy !== null && row.swept !== sweptBy && !isMet(row);
  const isCompared = (row: LedgerRow) => row.state === "written" && isPicked(row, oneOf);
  const rowsAtOnce = Math.min(mostRowsAtOnce, askedAtOnce * oneOf);
  let at = lease.cursor as Place;
  for (;;) {
    if (hasEnded(at)) return { kind: "ended" };
    if (budget.isSpent()) return { kind: "more" };
    if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
    const listed = await listRows(db, lease, { after: placeAt(at) as string | null, limit: rowsAtOnce });
    const rows = firstOf(listed, (row) => isUnseen(row) || isCompared(row));
    budget.spend();
    const there = await stillThere(place, rows.filter(isUnseen));
    if (sweptBy !== null) await markMet(db, lease, { ids: [...there], sweptBy });
    for (const row of rows) {
      const { sourceId, state, reason } = row;
      const seen = !isUnseen(row) || there.has(sourceId) ? "source" : "deleted";
      book.count(`row|${seen}|${state}|${reason ?? ""}`);
      // Marked by an attempt that did not come to its end, or by the check of an earlier run: it counts each time.
      if (isMet(row) || there.has(sourceId)) book.count(metById);
      if (reason !== null) book.example(`${state}/${reason}`, sourceId, mostOfCause);
    }
    await compare(place, rows.filter(isCompared), book);
    const isLast = listed.length < rowsAtOnce && rows.length === listed.length;
    const next = placeAfter(isLast ? null : (rows.at(-1)?.sourceId ?? null));
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
