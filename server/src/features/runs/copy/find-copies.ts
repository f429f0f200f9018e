import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { keyOfCopy, parentIn } from "../ledger/keys.ts";
import { mayExist } from "../ledger/row-state.ts";
import type { Claimed } from "../ledger/store-claim.ts";
import { findCopies, readCopies, recordOf } from "./look-up.ts";
import type { ToWrite } from "./write-page.ts";
import type { Outcome } from "@portage/connector-kit";

/**
 * Looks up every record for which a key was ever sent without a known copy, before any is created a second time. One whose
 * look-up the tool refuses is not sent: its outcome stays unknown.
 */
export const findSent = async (
  ctx: ChunkContext,
  { known }: Claimed,
  writes: readonly ToWrite[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Outcome>> => {
  const { from } = pairOf(ctx);
  const sent = writes.filter(({ prepared: { record } }) => {
    const row = known.get(record.id);
    return row !== undefined && mayExist(row);
  });
  const found = await findCopies(
    ctx,
    sent.map(({ key, record }) => ({ key, since: new Date(0), ...parentIn(from.stream, record) })),
    signal,
  );
  return new Map(
    sent.flatMap(({ prepared: { record } }, index): [string, Outcome][] => {
      const copy = found[index];
      if (copy?.kind === "refused") return [[record.id, { kind: "unknown", why: copy.error.message }]];
      const id = copy?.ids[0];
      return id === undefined ? [] : [[record.id, { kind: "written", id }]];
    }),
  );
};

/**
 * The records of a page whose copies an undo kept and that are still in the destination, by their old keys; also if the tool
 * refuses to look: another copy would be a duplicate.
 */
export const findKept = async (ctx: ChunkContext, { known }: Claimed): Promise<ReadonlySet<string>> => {
  const { from } = pairOf(ctx);
  const kept = [...known.values()].filter(({ state }) => state === "kept");
  const now = await readCopies(
    ctx,
    kept.map(({ destId }) => destId ?? ""),
  );
  const found = await findCopies(
    ctx,
    kept.map((row, index) => ({
      key: keyOfCopy(ctx.lease, row),
      since: new Date(0),
      ...parentIn(from.stream, recordOf(now[index])),
    })),
  );
  return new Set(
    kept
      .filter((_, index) => {
        const copy = found[index];
        return copy?.kind === "refused" || (copy?.ids.length ?? 0) > 0;
      })
      .map(({ sourceId }) => sourceId),
  );
};
