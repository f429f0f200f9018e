import type { FamilyRecord, Unreadable } from "@portage/connector-kit";
import { lookAtCopies } from "./edited-since.ts";
import { type CopiedRecord, judgeOutcomes } from "./judge-outcomes.ts";
import { findDoubtful } from "./find-doubtful.ts";
import { findKept } from "./find-kept.ts";
import { keepCopy } from "./keep-copy.ts";
import { type Batch, type Counts, noCounts } from "./lease.ts";
import { planRecord, type Prepared, prepareRecord } from "./plan-writes.ts";
import type { Wanted } from "./run.ts";
import { isInDoubt } from "./in-doubt.ts";
import { isThere } from "./ledger-state.ts";
import { replaced } from "./replaced.ts";
import { claim, type KnownRow, lookUp, targetKey } from "./store-claim.ts";
import { type Link, settle, type SettledRow } from "./store-settle.ts";
import { takeMatches } from "./store-shared.ts";
import type { TallyBook } from "./tallies.ts";
import { sharedAccount, type Workplace } from "./workplace.ts";
import { startWriteDeadline } from "./write-deadline.ts";
import { type ToWrite, writePage } from "./write-page.ts";

export interface PageToCopy {
  readonly records: readonly FamilyRecord[];
  readonly unreadable: readonly Unreadable[];
  /** Asked for by id, and no longer there. */
  readonly gone: readonly string[];
  /** Where to go on when all of the page is settled; undefined: the cursor is not this page's to move. */
  readonly cursor?: { readonly to: unknown };
}

/** What else is done with what was written, before the ledger says so: what is lost in between is found again. */
export type Keep = (place: Workplace, copied: readonly CopiedRecord[]) => Promise<void>;

export type PageEnd =
  /** `error`: what concerns more than single records; it is thrown after what is known was settled. */
  | {
      readonly kind: "moved" | "open";
      readonly counts: Counts;
      readonly inDoubt: Batch | null;
      readonly error: Error | null;
    }
  | { readonly kind: "fenced" }
  /** Told to pause or to stop before anything was sent. */
  | { readonly kind: "halted"; readonly wanted: Wanted };

const once = (records: readonly FamilyRecord[]) => [
  ...new Map(records.map((record) => [record.id, record])).values(),
];

const unreadableRow = ({ id, code, message }: Unreadable): SettledRow => ({
  sourceId: id,
  state: "failed",
  destId: null,
  sourceHash: null,
  destHash: null,
  reason: code,
  detail: message.slice(0, 500),
});

const goneRow = (id: string): SettledRow => ({
  sourceId: id,
  state: "skipped",
  destId: null,
  sourceHash: null,
  destHash: null,
  reason: "source_deleted",
  detail: null,
});

/** What the ledger has of records that could not be read. */
const knownAmong = async ({ db, lease }: Workplace, ids: readonly string[]) => {
  const known = await lookUp(
    db,
    lease,
    ids.map((id) => ({ stream: lease.stream, id })),
  );
  return (id: string) => known.get(targetKey(lease.stream, id));
};

/** A copy whose original is gone, or what may be one, stays what it is: it must be found again to be undone. */
const mayBeCopied = (row: KnownRow | undefined) =>
  row !== undefined && (isThere(row.state) || isInDoubt(row));

/** Claims a page, writes what is to be written, and settles it. The page itself was read before. */
export const copyPage = async (
  place: Workplace,
  page: PageToCopy,
  book: TallyBook,
  keep: Keep = async () => {},
): Promise<PageEnd> => {
  const { db, lease, times } = place;
  const prepared = once(page.records).map((record) => prepareRecord(place, record));
  const startedAt = performance.now();
  const claimedAt = new Date();
  const targets = new Map(
    prepared.flatMap(({ references }) => references.map((to) => [`${to.stream}/${to.id}`, to] as const)),
  );
  const claimed = await claim(
    db,
    lease,
    {
      ids: prepared.map(({ record }) => record.id),
      hashes: prepared.map(({ hash }) => hash),
      parents: prepared.map(({ parent }) => parent),
      targets: [...targets.values()],
    },
    times,
  );
  if (!claimed) return { kind: "fenced" };
  const clear = { rows: [], counts: noCounts, tallies: book.all(), inDoubt: null };
  if (claimed.wanted !== "run") {
    // Nothing was sent, so that nothing is in doubt.
    return (await settle(db, lease, clear, times))
      ? { kind: "halted", wanted: claimed.wanted }
      : { kind: "fenced" };
  }
  const stillThere = await findKept(place, claimed);
  const rows: SettledRow[] = [];
  const links: Link[] = [];
  const linkedOf: string[] = [];
  const counts = { ...noCounts };
  const writes: ToWrite[] = [];
  for (const each of prepared) {
    const known = claimed.known.get(each.record.id);
    if (known?.runNumber !== lease.runNumber) counts.read += 1;
    const planned = planRecord(place, claimed, each, stillThere);
    if (planned.kind === "write") writes.push(planned);
    else if (planned.kind === "settled") {
      rows.push(planned.row);
      if (planned.counts) counts[planned.counts] += 1;
      if (planned.row.reason !== null)
        book.reason(planned.counts === "failed" ? "failed" : planned.row.state, planned.row.reason);
      if (planned.pending) {
        linkedOf.push(each.record.id);
        links.push(...planned.pending);
      }
    }
  }
  const knownOf = await knownAmong(place, [...page.unreadable.map(({ id }) => id), ...page.gone]);
  for (const bad of page.unreadable) {
    rows.push(keepCopy(unreadableRow(bad), knownOf(bad.id)));
    counts.failed += 1;
    counts.read += 1;
    book.reason("failed", bad.code);
  }
  for (const id of page.gone.filter((each) => !mayBeCopied(knownOf(each)))) {
    rows.push(goneRow(id));
    counts.skipped += 1;
    counts.read += 1;
    book.reason("skipped", "source_deleted");
  }

  const files = writes.some(({ prepared: { record } }) => "fileName" in record);
  const deadline = startWriteDeadline(place, startedAt, files);
  try {
    const updates = writes.filter(({ known }) => known !== null);
    const copies = await lookAtCopies(place, updates, deadline.signal);
    const sending = writes.filter(({ prepared: { record } }) => {
      const now = copies.get(record.id)?.kind;
      return now === undefined || now === "ours";
    });
    const there = await findDoubtful(place, claimed, sending, deadline.signal);
    const { outcomes, error } = await writePage(
      place,
      sending.filter(({ prepared: { record } }) => !there.has(record.id)),
      deadline,
    );
    const judged = await judgeOutcomes(
      place,
      writes,
      { outcomes: new Map([...outcomes, ...there]), copies },
      book,
    );
    const open = new Set([...judged.unknown, ...judged.unsent]);
    const doubt = prepared.filter(({ record }) => judged.unknown.has(record.id));
    const moves = open.size === 0 && error === null ? page.cursor : undefined;
    for (const [name, value] of Object.entries(judged.counts) as [keyof Counts, number][])
      counts[name] += value;
    const linkRows = [...links, ...judged.links];
    await keep(place, judged.copied);
    const settled = await withMatches(place, [...rows, ...judged.rows]);
    const held = await settle(
      db,
      lease,
      {
        rows: settled,
        counts: { ...counts, read: Math.max(0, counts.read - open.size) },
        tallies: book.all(),
        ...(moves ? { cursor: moves } : {}),
        inDoubt: doubt.length > 0 ? batchOf(doubt) : null,
        ...(linkRows.length + linkedOf.length + judged.linkedOf.length > 0
          ? { links: { of: [...linkedOf, ...judged.linkedOf], pending: linkRows } }
          : {}),
      },
      times,
    );
    if (!held) return { kind: "fenced" };
    return {
      kind: open.size === 0 && error === null ? "moved" : "open",
      counts,
      // No request of it is under way any more.
      inDoubt: doubt.length > 0 ? { ...batchOf(doubt), since: claimedAt, deadlineInMs: 0 } : null,
      error,
    };
  } finally {
    deadline.close();
  }
};

const batchOf = (doubt: readonly Prepared[]) => ({
  ids: doubt.map(({ record }) => record.id),
  hashes: doubt.map(({ hash }) => hash),
  parents: doubt.map(({ parent }) => parent),
});

const matchOf = ({ state, destId, reason, detail }: SettledRow) =>
  state === "matched" ? destId : reason === replaced ? detail : null;

/** A match is noted before it is recorded, so that no undo takes the record away; one that is going is no match. */
const withMatches = async (place: Workplace, rows: readonly SettledRow[]): Promise<readonly SettledRow[]> => {
  const ids = rows.flatMap((row) => matchOf(row) ?? []);
  if (ids.length === 0) return rows;
  const granted = await takeMatches(place.db, place.lease, sharedAccount(place.destination), ids);
  return rows.map((row) => {
    const id = matchOf(row);
    if (id === null || granted.has(id)) return row;
    return row.state === "matched"
      ? { ...row, state: "failed", destId: null, reason: "being_removed" }
      : { ...row, detail: null };
  });
};
