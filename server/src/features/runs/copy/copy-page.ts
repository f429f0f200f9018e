import type { FamilyRecord, Unreadable } from "@portage/connector-kit";
import { type Moment, momentNow } from "../../../platform/moment.ts";
import { lookAtCopies } from "./edited-since.ts";
import { type CopiedRecord, type Judged, judgeOutcomes } from "./judge-outcomes.ts";
import { findKept } from "./find-copies.ts";
import { asItWas, keepCopy, sentFor } from "./keep-copy.ts";
import { keepNamedByCopies } from "./keep-named-by-copies.ts";
import { findSent, type FoundFirst, lookFirst, withFound } from "./look-first.ts";
import { readCopies } from "./look-up.ts";
import { type Batch, type Counts, noCounts } from "../chunk/lease.ts";
import { readParts, withParts } from "./parts.ts";
import { isOrphan, planRecord, type PreparedRecord, prepareRecord } from "./plan-record.ts";
import type { Wanted } from "../run.ts";
import { inDoubt, isThere, replaced } from "../ledger/row-state.ts";
import { claim, type Claimed, type KnownRow, lookUp, targetKey } from "../ledger/store-claim.ts";
import { type Link, settle, type SettledRow } from "../ledger/store-settle.ts";
import { settledCount } from "../progress/run-group.ts";
import { takeMatches } from "../ledger/store-shared-accounts.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { pairOf, sharedAccount, type ChunkContext } from "../chunk/chunk-context.ts";
import { startWriteDeadline, type WriteDeadline } from "../chunk/write-deadline.ts";
import { type ToWrite, writePage } from "./write-page.ts";

export interface PageToCopy {
  readonly records: readonly FamilyRecord[];
  readonly unreadable: readonly Unreadable[];
  /** Read by id, and no longer there. */
  readonly gone: readonly string[];
  /** Stood for what belongs to a parent, which could be read now. */
  readonly readNow?: readonly string[];
  /** The next cursor once all of the page is settled; undefined: this page does not move the cursor. */
  readonly cursor?: { readonly to: unknown };
}

/** Further work on written records, before the ledger records them: what is lost in between is found again. */
export type OnCopied = (ctx: ChunkContext, copied: readonly CopiedRecord[]) => Promise<void>;

export type PageEnd =
  /** `error`: concerns more than single records; thrown after the known outcomes are settled. */
  | {
      readonly kind: "moved" | "open";
      readonly counts: Counts;
      readonly inDoubt: Batch | null;
      readonly error: Error | null;
    }
  | { readonly kind: "fenced" }
  /** Paused or stopped before anything was sent. */
  | { readonly kind: "halted"; readonly wanted: Wanted };

const once = (records: readonly FamilyRecord[]) => [
  ...new Map(records.map((record) => [record.id, record])).values(),
];

const unreadableRow = ({ id, code, message }: Unreadable, known: KnownRow | undefined): SettledRow => ({
  sourceId: id,
  state: "failed",
  destId: null,
  sourceHash: null,
  destHash: null,
  reason: code,
  detail: message.slice(0, 500),
  ...sentFor(known),
});

const skippedRow = (id: string, reason: string, known: KnownRow | undefined): SettledRow => ({
  sourceId: id,
  state: "skipped",
  destId: null,
  sourceHash: null,
  destHash: null,
  reason,
  detail: null,
  ...sentFor(known),
});

/** The ledger's rows of unreadable records. */
const knownAmong = async ({ db, lease }: Pick<ChunkContext, "db" | "lease">, ids: readonly string[]) => {
  const known = await lookUp(
    db,
    lease,
    ids.map((id) => ({ stream: lease.stream, id })),
  );
  return (id: string) => known.get(targetKey(lease.stream, id));
};

/** A copy whose original is gone keeps its row, and so does a write without an answer. */
const keepsRow = (row: KnownRow | undefined) =>
  row !== undefined && (isThere(row.state) || row.reason === inDoubt);

const addCounts = (a: Counts, b: Counts): Counts => {
  const sum = { ...a };
  for (const [name, value] of Object.entries(b) as [keyof Counts, number][]) sum[name] += value;
  return sum;
};

const batchOf = (doubt: readonly PreparedRecord[]) => ({
  ids: doubt.map(({ record }) => record.id),
  hashes: doubt.map(({ hash }) => hash),
  parents: doubt.map(({ parent }) => parent),
});

const matchOf = ({ state, destId, reason, detail }: SettledRow) =>
  state === "matched" ? destId : reason === replaced ? detail : null;

/**
 * Of the records with which the tool matched this page's, those that are gone. An undo of another import may have removed one, and
 * ended, between the tool's answer and the registration of the match: then it announced nothing any more.
 */
const goneSince = async (ctx: ChunkContext, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const each = [...new Set(ids)];
  const copies = await readCopies(ctx, each);
  return new Set(each.filter((_, index) => copies[index]?.kind === "gone"));
};

/**
 * Registers a match before the row, so that no undo removes the record; one that is being removed is no match. `answered`: the rows
 * that the tool's answers made.
 */
const withMatches = async (
  ctx: ChunkContext,
  rows: readonly SettledRow[],
  answered: readonly SettledRow[],
): Promise<readonly SettledRow[]> => {
  const { db, lease, destination } = ctx;
  const ids = rows.flatMap((row) => matchOf(row) ?? []);
  if (ids.length === 0) return rows;
  const granted = await takeMatches(db, lease, sharedAccount(destination), ids);
  const fresh = answered.flatMap((row) => matchOf(row) ?? []).filter((id) => granted.has(id));
  const gone = await goneSince(ctx, fresh);
  return rows.map((row) => {
    const id = matchOf(row);
    if (id === null || (granted.has(id) && !gone.has(id))) return row;
    return row.state === "matched"
      ? { ...row, state: "failed", destId: null, reason: "being_removed" }
      : { ...row, detail: null };
  });
};

/** A delta looks at the parent's row to know whether one of these may have changed. */
const withParents = (
  ctx: ChunkContext,
  prepared: readonly PreparedRecord[],
  rows: readonly SettledRow[],
): readonly SettledRow[] => {
  if (pairOf(ctx).from.changesWithParent !== true) return rows;
  const parents = new Map(prepared.map(({ record, parent }) => [record.id, parent || null]));
  return rows.map((row) => ({ ...row, parent: row.parent ?? parents.get(row.sourceId) ?? null }));
};

/**
 * Whether a delta looks at what belongs to an unchanged record, because the record is in the list of changes: a link, a retry or
 * a run that was stopped may have written its version without them.
 */
const isTouched = ({ lease, streams }: ChunkContext, known: KnownRow | undefined): known is KnownRow =>
  lease.kind === "delta" &&
  lease.task === "copy" &&
  pairOf({ lease, streams }).from.delta &&
  known?.state === "written" &&
  known.runNumber !== lease.runNumber &&
  streams.some(({ from }) => from.changesWithParent === true && from.perParent === lease.stream);

/** A page whose records this attempt may write, until its deadline. */
interface ClaimedPage {
  readonly prepared: readonly PreparedRecord[];
  readonly claimed: Claimed;
  /** Before the claim was sent: the write deadline counts from here. */
  readonly startedAt: Moment;
  readonly claimedAt: Date;
}

/** What is known of a page before any write is sent. */
interface PagePlan {
  readonly writes: readonly ToWrite[];
  readonly rows: readonly SettledRow[];
  readonly counts: Counts;
  readonly links: readonly Link[];
  readonly linkedOf: readonly string[];
}

/** Phase 1: claims the records in the ledger, so that a crash from here on leaves them as the batch in doubt. */
const claimPage = async (
  ctx: ChunkContext,
  prepared: readonly PreparedRecord[],
  book: TallyBook,
): Promise<({ readonly kind: "claimed" } & ClaimedPage) | Exclude<PageEnd, { kind: "moved" | "open" }>> => {
  const { db, lease, times } = ctx;
  const startedAt = momentNow();
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
  if (claimed.wanted === "run") return { kind: "claimed", prepared, claimed, startedAt, claimedAt };
  // Nothing was sent, so nothing is in doubt.
  const cleared = { rows: [], counts: noCounts, tallies: book.all(), inDoubt: null };
  return (await settle(db, lease, cleared, times))
    ? { kind: "halted", wanted: claimed.wanted }
    : { kind: "fenced" };
};

/** Phase 2: decides which records to write, and makes the rows of all others. Sends no write. */
const planPage = async (
  ctx: ChunkContext,
  page: PageToCopy,
  { prepared, claimed }: ClaimedPage,
  book: TallyBook,
): Promise<PagePlan> => {
  const stillThere = await findKept(ctx, claimed);
  const writes: ToWrite[] = [];
  const rows: SettledRow[] = [];
  const counts = { ...noCounts };
  const links: Link[] = [];
  const linkedOf: string[] = [];
  for (const each of prepared) {
    const known = claimed.known.get(each.record.id);
    if (known?.runNumber !== ctx.lease.runNumber) counts.read += 1;
    const planned = planRecord(ctx, claimed, each, stillThere);
    if (planned.kind === "write") writes.push(planned);
    else if (planned.kind === "unchanged" && isTouched(ctx, known)) rows.push(asItWas(known));
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
  const knownOf = await knownAmong(ctx, [...page.unreadable.map(({ id }) => id), ...page.gone]);
  // One row for each id, however often a source names it: a record says more than that it can't be read.
  const taken = new Set(prepared.map(({ record }) => record.id));
  const take = (id: string) => {
    const isFree = !taken.has(id);
    taken.add(id);
    return isFree;
  };
  for (const bad of page.unreadable.filter(({ id }) => take(id))) {
    const known = knownOf(bad.id);
    rows.push(keepCopy(unreadableRow(bad, known), known));
    counts.failed += 1;
    counts.read += 1;
    book.reason("failed", bad.code);
  }
  const skip = (id: string, reason: string) => {
    rows.push(skippedRow(id, reason, knownOf(id)));
    counts.skipped += 1;
    counts.read += 1;
    book.reason("skipped", reason);
  };
  for (const id of page.gone) if (!keepsRow(knownOf(id)) && take(id)) skip(id, "source_deleted");
  for (const id of page.readNow ?? []) if (take(id)) skip(id, "read_later");
  return { writes, rows, counts, links, linkedOf };
};

/**
 * Phase 3: sends the writes, all before the deadline. Leaves copies alone that a person has edited since.
 */
const sendWrites = async (
  ctx: ChunkContext,
  { writes }: PagePlan,
  { unclear, arrived }: FoundFirst,
  deadline: WriteDeadline,
  book: TallyBook,
): Promise<Judged & { readonly error: Error | null }> => {
  const updates = writes.filter(({ known }) => known !== null);
  const copies = await lookAtCopies(ctx, updates, deadline.signal);
  const sending = writes.filter(({ prepared: { record } }) => {
    const now = copies.get(record.id)?.kind;
    return now === undefined || now === "ours";
  });
  const there = new Map([...unclear, ...arrived]);
  const { outcomes, disturbed, error } = await writePage(
    ctx,
    sending.filter(({ prepared: { record } }) => !there.has(record.id)),
    deadline,
  );
  const answers = { outcomes: new Map([...outcomes, ...there]), copies, disturbed };
  const judged = await judgeOutcomes(ctx, writes, answers, book);
  await keepNamedByCopies(
    ctx,
    judged.copied,
    ({ source, planned }) => planned.known !== null || there.has(source.id),
  );
  return { ...judged, error };
};

/** Phase 4: records all outcomes, moves the cursor if none is open, and keeps unknown ones as the batch in doubt. */
const settlePage = async (
  ctx: ChunkContext,
  { prepared, claimed, claimedAt }: ClaimedPage,
  plan: PagePlan,
  sent: Judged & { readonly error: Error | null },
  { found }: FoundFirst,
  { cursor, book }: { readonly cursor: PageToCopy["cursor"]; readonly book: TallyBook },
): Promise<PageEnd> => {
  const { db, lease, times } = ctx;
  const open = [...sent.unknown, ...sent.unsent];
  const openNow = open.filter((id) => claimed.known.get(id)?.runNumber !== lease.runNumber).length;
  const isDone = open.length === 0 && sent.error === null;
  const doubt = prepared.filter(({ record }) => sent.unknown.has(record.id));
  const planned = withParents(ctx, prepared, [...plan.rows, ...sent.rows]);
  const rows = await withMatches(ctx, planned, sent.rows);
  // They were created without being counted: that counts once, whatever became of them now.
  const recovered = planned.filter(({ sourceId, state }) => state === "written" && found.has(sourceId));
  const completed = recovered.filter(({ reason }) => reason === null).length;
  // Counted before as left out.
  const orphans = rows.filter(({ sourceId }) => isOrphan(lease, claimed.known.get(sourceId))).length;
  if (orphans > 0) book.reason("skipped", "parent_missing", -orphans);
  // Counted as matched before.
  const unmatched = rows.filter(({ reason }) => reason === "being_removed").length;
  if (unmatched > 0) book.reason("failed", "being_removed", unmatched);
  const counts = addCounts(addCounts(plan.counts, sent.counts), {
    ...noCounts,
    created: recovered.length,
    updated: -completed,
    skipped: -orphans,
    matched: -unmatched,
    failed: unmatched,
    // They are read once more.
    read: -openNow,
  });
  // What a sweep counts beside what it copies are the ids that it sees.
  const read = lease.task === "sweep" ? settledCount(counts) : counts.read;
  const links = [...plan.links, ...sent.links];
  const linkedOf = [...plan.linkedOf, ...sent.linkedOf];
  const isHeld = await settle(
    db,
    lease,
    {
      rows,
      counts: { ...counts, read },
      tallies: book.all(),
      ...(cursor && isDone ? { cursor } : {}),
      inDoubt: doubt.length > 0 ? batchOf(doubt) : null,
      ...(links.length + linkedOf.length > 0 ? { links: { of: linkedOf, pending: links } } : {}),
    },
    times,
  );
  if (!isHeld) return { kind: "fenced" };
  return {
    kind: isDone ? "moved" : "open",
    counts,
    // None of its requests is in flight any more.
    inDoubt: doubt.length > 0 ? { ...batchOf(doubt), since: claimedAt, deadlineInMs: 0 } : null,
    error: sent.error,
  };
};

/** Copies one page that was read before: look first where a copy may be there already, claim, plan, write, settle. */
export const copyPage = async (
  ctx: ChunkContext,
  page: PageToCopy,
  book: TallyBook,
  keep: OnCopied = async () => {},
): Promise<PageEnd> => {
  const prepared = once(page.records).map((record) => prepareRecord(ctx, record));
  const lookedAt = await lookFirst(ctx, prepared, book);
  const parts = await readParts(ctx, prepared, lookedAt);
  const held = await claimPage(ctx, prepared, book);
  if (held.kind !== "claimed") return held;
  const first = await findSent(ctx, held.claimed, prepared, lookedAt);
  // The look-up may take longer than a write: the deadline counts from a claim after it.
  const again = first === lookedAt ? held : await claimPage(ctx, prepared, book);
  if (again.kind !== "claimed") return again;
  const claimed = { ...again, claimed: withFound(again.claimed, first) };
  const planned = await planPage(ctx, page, claimed, book);
  const plan = { ...planned, writes: withParts(ctx, planned.writes, parts) };
  const hasFiles = plan.writes
    .flatMap((write) => [write.prepared, ...(write.parts ?? []).map((part) => part.prepared)])
    .some(({ record }) => "fileName" in record);
  const deadline = startWriteDeadline(ctx, claimed.startedAt, hasFiles);
  try {
    const sent = await sendWrites(ctx, plan, first, deadline, book);
    await keep(ctx, sent.copied);
    return await settlePage(ctx, claimed, plan, sent, first, { cursor: page.cursor, book });
  } finally {
    deadline.close();
  }
};
