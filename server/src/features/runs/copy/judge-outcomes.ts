import { type ChunkContext, pairOf } from "../chunk/chunk-context.ts";
import { type Counts, noCounts } from "../chunk/lease.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { destinationHash, parentIn } from "../ledger/keys.ts";
import { foundAgain, inDoubt } from "../ledger/row-state.ts";
import type { Link, SettledRow } from "../ledger/store-settle.ts";
import { type CopyNow, maybeEdited } from "./edited-since.ts";
import { leftRow } from "./keep-copy.ts";
import { findCopies, readCopies, recordOf } from "./look-up.ts";
import type { Sent, ToWrite } from "./write-page.ts";
import { declaredBy, type FamilyRecord, type FieldChange } from "@portage/connector-kit";

/** A written record, for the review. */
export interface CopiedRecord {
  readonly source: FamilyRecord;
  readonly destination: FamilyRecord | null;
  readonly destId: string;
  readonly planned: ToWrite;
  /** Made by the mapping, by its references, and by the destination itself. */
  readonly changes: readonly FieldChange[];
}

export interface Judged {
  readonly rows: readonly SettledRow[];
  readonly counts: Counts;
  readonly unknown: ReadonlySet<string>;
  readonly unsent: ReadonlySet<string>;
  readonly links: readonly Link[];
  readonly linkedOf: readonly string[];
  readonly copied: readonly CopiedRecord[];
}

/**
 * After this many chunks in a row without progress, the run gives up on unknown outcomes. With the pauses in between
 * that is some twenty minutes: longer than typical outages, short compared with a run that one record must not hold up.
 */
export const patience = 12;

interface Answers {
  readonly outcomes: ReadonlyMap<string, Sent>;
  readonly copies: ReadonlyMap<string, CopyNow>;
  /** See `WrittenPage`. */
  readonly disturbed?: ReadonlySet<string>;
}

/** Why a copy is left as it is. */
const keptFor: Partial<Record<CopyNow["kind"], string>> = {
  edited: "edited_since",
  unclear: maybeEdited,
  gone: "deleted_since",
};

/** Matched records that carry our key: copies left by an earlier write, not records of others. */
const oursAmong = async (ctx: ChunkContext, matched: readonly ToWrite[]): Promise<ReadonlySet<string>> => {
  const { from } = pairOf(ctx);
  const found = await findCopies(
    ctx,
    matched.map(({ key, record }) => ({ key, since: new Date(0), ...parentIn(from.stream, record) })),
  );
  return new Set(
    matched.flatMap(({ key }, index) => {
      const copy = found[index];
      return copy?.kind === "found" && copy.ids.length > 0 ? [key] : [];
    }),
  );
};

/** The records as they are now, if the write's answer did not contain them. */
const readBack = async (
  ctx: ChunkContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FamilyRecord | null>> => {
  const now = await readCopies(ctx, ids);
  return new Map(ids.map((id, index) => [id, recordOf(now[index])]));
};

/** Turns the tool's answers into ledger rows. */
export const judgeOutcomes = async (
  ctx: ChunkContext,
  writes: readonly ToWrite[],
  { outcomes, copies, disturbed = new Set() }: Answers,
  book: TallyBook,
): Promise<Judged> => {
  const { to } = pairOf(ctx);
  const outcomeOf = (write: ToWrite) => outcomes.get(write.prepared.record.id);
  const ours = await oursAmong(
    ctx,
    writes.filter((write) => outcomeOf(write)?.kind === "matched"),
  );
  const unread = writes.flatMap((write) => {
    const outcome = outcomeOf(write);
    return outcome?.kind === "written" && !outcome.record ? [outcome.id] : [];
  });
  const readNow = await readBack(ctx, unread);
  const rows: SettledRow[] = [];
  const links: Link[] = [];
  const linkedOf: string[] = [];
  const copied: CopiedRecord[] = [];
  const unknown = new Set<string>();
  const unsent = new Set<string>();
  const counts = { ...noCounts };

  const written = (
    write: ToWrite,
    destId: string,
    now: FamilyRecord | null,
    reported: readonly FieldChange[] = [],
  ) => {
    const { prepared, known, pending } = write;
    const changes = joinChanges(write.changes, reported);
    rows.push({
      sourceId: prepared.record.id,
      state: "written",
      destId,
      sourceHash: prepared.hash,
      destHash: now && to ? destinationHash(now, to) : null,
      reason: null,
      detail: null,
      keyGeneration: write.keyGeneration,
      parent: null,
      declared: reported.length > 0 && to ? declaredBy(to.stream, reported) : null,
    });
    if (!known) counts.created += 1;
    // This run created it, and counted that when it found the copy after a lost answer: now it is complete.
    else if (known.reason !== foundAgain || known.runNumber !== ctx.lease.runNumber) counts.updated += 1;
    book.changes(changes, known !== null && known !== undefined);
    links.push(...pending);
    if (known || pending.length > 0) linkedOf.push(prepared.record.id);
    copied.push({ source: prepared.record, destination: now, destId, planned: write, changes });
  };

  const failed = (write: ToWrite, code: string, message: string) => {
    const detail = message.slice(0, 500);
    counts.failed += 1;
    book.reason("failed", code);
    if (write.known) {
      const row = leftRow(write.known, "update_failed", detail);
      // A part of it may have taken effect, or all of it without an answer.
      const isUnclear = code === inDoubt || disturbed.has(write.prepared.record.id);
      rows.push(isUnclear ? { ...row, unclear: true } : row);
    } else
      rows.push({
        sourceId: write.prepared.record.id,
        state: "failed",
        destId: null,
        sourceHash: write.prepared.hash,
        destHash: null,
        reason: code,
        detail,
        keyGeneration: write.keyGeneration,
        parent: write.prepared.parent || null,
      });
  };

  const givesUp = ctx.lease.failures >= patience;
  for (const write of writes) {
    const { id } = write.prepared.record;
    const copy = copies.get(id);
    const outcome = outcomeOf(write);
    const reason = copy && keptFor[copy.kind];
    if (write.known && reason) {
      // A page that is read again finds it once more.
      if (write.known.runNumber !== ctx.lease.runNumber || write.known.reason !== reason) {
        counts.kept += 1;
        book.reason("kept", reason);
      }
      const row = leftRow(write.known, reason, null);
      rows.push(copy.kind === "unclear" ? { ...row, unclear: true } : row);
    } else if (write.known && copy?.kind === "refused") failed(write, copy.code, copy.message);
    else if (copy?.kind === "as_wanted") written(write, write.known?.destId ?? "", copy.record, copy.changes);
    else if (outcome?.kind === "written") {
      book.taken();
      const now = (outcome.record ?? readNow.get(outcome.id) ?? null) as FamilyRecord | null;
      written(write, outcome.id, now, outcome.changes);
    }
    // An earlier write of ours, of which no answer came: it is settled as one in doubt, and then completed.
    else if (outcome?.kind === "matched" && ours.has(write.key))
      if (givesUp) failed(write, inDoubt, "The record is there, but its key does not find it.");
      else unknown.add(id);
    else if (outcome?.kind === "matched") {
      book.taken();
      rows.push({
        sourceId: id,
        state: "matched",
        destId: outcome.id,
        sourceHash: write.prepared.hash,
        destHash: null,
        reason: null,
        detail: null,
        keyGeneration: null,
        parent: null,
      });
      counts.matched += 1;
    } else if (outcome?.kind === "rejected") {
      book.refused(outcome.code);
      failed(write, outcome.code, outcome.message);
    }
    // A record that never gets an answer must not hold up all others: every later attempt looks it up first.
    else if (outcome?.kind === "unknown" && givesUp) failed(write, inDoubt, outcome.why);
    else if (outcome?.kind === "unknown") unknown.add(id);
    else unsent.add(id);
  }
  return { rows, counts, unknown, unsent, links, linkedOf, copied };
};

/**
 * Joins the mapping's changes with the tool's. If the tool reports on a field, it knows better than the mapping, which
 * only announced a conversion; the mapping's truncations and losses stay reported.
 */
export const joinChanges = (
  planned: readonly FieldChange[],
  reported: readonly FieldChange[],
): readonly FieldChange[] => {
  if (reported.length === 0) return planned;
  const known = new Set(reported.map(({ field }) => field));
  return [...planned.filter(({ field, change }) => change !== "converted" || !known.has(field)), ...reported];
};
