import { externalKey } from "../external-key.ts";
import { inDoubt } from "../in-doubt.ts";
import { noCounts } from "../lease.ts";
import { leaveRemoval } from "../leave-removal.ts";
import { type Candidate, partCandidates, undone } from "../removable.ts";
import { lookFirst } from "../removal-order.ts";
import { type LedgerRow, listRows } from "../store-ledger.ts";
import { listOutsideSample } from "../store-sample.ts";
import { endRemoval } from "../store-shared.ts";
import { settle } from "../store-settle.ts";
import type { TallyBook } from "../tallies.ts";
import { sharedAccount, type Workplace } from "../workplace.ts";
import { findDoubtful, takeAway } from "../take-away.ts";
import { type Budget, hasEnded, type Place, placeAfter, placeAt, type TaskEnd } from "./task.ts";

const rowsAtOnce = 100;

const isOurs = ({ state, reason }: LedgerRow) =>
  state === "written" || state === "kept" || (state === "failed" && reason === inDoubt);

/** It was counted when it was made: a write without an answer never was. */
const wasCounted = ({ state, destId }: LedgerRow) =>
  destId !== null && (state === "written" || state === "kept");

const idsOf = (candidates: readonly Candidate[]) => candidates.map(({ id }) => id);

/**
 * Takes copies away again, and only what is ours and untouched. Of a sample that is made anew: only what is no longer
 * in it. What is unknown is looked at anew: by then it is gone, or still there.
 */
export const removeTask = async (place: Workplace, book: TallyBook, budget: Budget): Promise<TaskEnd> => {
  const { db, lease, times, destination } = place;
  const { lateWriteMs, findLagMs } = destination.connector.manifest.grace;
  const restMs = lease.batch ? lease.batch.deadlineInMs + lateWriteMs + findLagMs : 0;
  if (restMs > 0) return { kind: "later", delayMs: restMs };
  if (lease.wanted === "stop" && !(await leaveRemoval(db, lease, times))) return { kind: "fenced" };
  if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
  let at = lease.cursor as Place;
  const list = lease.kind === "sample" ? listOutsideSample : listRows;
  const onlyLooks = lease.slice === lookFirst;
  for (;;) {
    if (hasEnded(at)) return { kind: "ended" };
    if (budget.isSpent()) return { kind: "more" };
    const rows = await list(db, lease, { after: placeAt(at) as string | null, limit: rowsAtOnce });
    budget.spend();
    const next = placeAfter(rows.length < rowsAtOnce ? null : (rows.at(-1)?.sourceId ?? null));
    const found = await findDoubtful(place, rows);
    const candidates = rows.filter(isOurs).flatMap((row): Candidate[] => {
      const id = row.destId ?? found.get(row.sourceId);
      return id === undefined ? [] : [{ row, id, key: externalKey({ ...lease, ...row }) }];
    });
    const { free, settled } = await partCandidates(place, candidates);
    if (onlyLooks) {
      // What must stay with what does is written down; how each ended shows when what holds them is gone.
      const looked = { rows: [], counts: noCounts, tallies: book.all(), cursor: { to: next }, inDoubt: null };
      if (!(await settle(db, lease, looked, times))) return { kind: "fenced" };
      await endRemoval(db, lease, sharedAccount(destination), idsOf(candidates));
      at = next;
      continue;
    }
    const taken = await takeAway(place, free);
    if (taken.kind === "fenced") return taken;
    const open = taken.rows.filter((row) => row === null).length;
    const counted = new Set(candidates.map(({ row }) => row));
    // Nothing of these is in the destination because of us.
    const rest = rows.filter((row) => !counted.has(row) && row.state !== "undone").map(undone);
    const all = [...settled, ...taken.rows.filter((row) => row !== null), ...rest];
    const keptRows = all.filter(({ state }) => state === "kept");
    for (const { reason } of keptRows) book.reason("kept", reason ?? "");
    const made = new Set(rows.filter(wasCounted).map(({ sourceId }) => sourceId));
    const removed = all.filter(({ state, sourceId }) => state === "undone" && made.has(sourceId)).length;
    const held = await settle(
      db,
      lease,
      {
        rows: all,
        counts: { ...noCounts, read: all.length, removed, kept: keptRows.length },
        tallies: book.all(),
        ...(open === 0 ? { cursor: { to: next } } : {}),
        inDoubt: null,
        // What is gone points to nothing: a link that waits would bring it back.
        links: {
          of: all.filter(({ state }) => state === "undone").map(({ sourceId }) => sourceId),
          pending: [],
        },
      },
      times,
    );
    if (!held) return { kind: "fenced" };
    // What is open stays announced.
    if (open === 0) await endRemoval(db, lease, sharedAccount(destination), idsOf(candidates));
    budget.done.read += all.length;
    if (open > 0) return { kind: "later", delayMs: lateWriteMs + findLagMs };
    at = next;
  }
};
