import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import { externalKey, parentIn } from "../ledger/keys.ts";
import { isInDoubt } from "../ledger/row-state.ts";
import type { Claimed } from "../ledger/store-claim.ts";
import type { ToWrite } from "./write-page.ts";
import type { Outcome } from "@portage/connector-kit";

/** Looks up the copies that earlier runs gave up on, before any of them is made a second time. */
export const findDoubtful = async (
  ctx: ChunkContext,
  { known }: Claimed,
  writes: readonly ToWrite[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Outcome>> => {
  const { from, to } = pairOf(ctx);
  const doubtful = writes.filter(({ prepared: { record } }) => {
    const row = known.get(record.id);
    return row !== undefined && isInDoubt(row);
  });
  if (!to || doubtful.length === 0) return new Map();
  const asked = doubtful.map(({ key, record }) => ({
    key,
    since: new Date(0),
    ...parentIn(from.stream, record),
  }));
  const there = await onSide("destination", () => to.find(ctx.destination.io(signal), asked));
  return new Map(
    doubtful.flatMap(({ key, prepared }) => {
      const [id] = there.get(key) ?? [];
      return id === undefined ? [] : [[prepared.record.id, { kind: "written" as const, id }]];
    }),
  );
};

/** The records of a page whose copies an undo kept and that are still in the destination, by their old keys. */
export const findKept = async (ctx: ChunkContext, { known }: Claimed): Promise<ReadonlySet<string>> => {
  const { from, to } = pairOf(ctx);
  const kept = [...known.values()].filter(({ state }) => state === "kept");
  if (!to || kept.length === 0) return new Set();
  const io = ctx.destination.io(ctx.signal);
  const ids = kept.map(({ destId }) => destId ?? "");
  const now = await onSide("destination", () => to.read(io, ids));
  const asked = kept.map((row, index) => ({
    key: externalKey({ ...ctx.lease, ...row }),
    since: new Date(0),
    ...parentIn(from.stream, now[index]),
  }));
  const found = await onSide("destination", () => to.find(io, asked));
  return new Set(
    kept
      .filter((_, index) => (found.get(asked[index]?.key ?? "") ?? []).length > 0)
      .map(({ sourceId }) => sourceId),
  );
};
