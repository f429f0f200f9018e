import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import { destinationHash, isAsLeft } from "../ledger/keys.ts";
import { type CopyRead, readCopies } from "./look-up.ts";
import type { ToWrite } from "./write-page.ts";
import type { DestinationStream, FamilyRecord, Io } from "@portage/connector-kit";

export type CopyNow =
  /** As we left it: it may be changed. */
  | { readonly kind: "ours" }
  /** Equal to what we are about to write: a write of ours whose settlement was lost. */
  | { readonly kind: "as_wanted"; readonly record: FamilyRecord }
  | { readonly kind: "edited" }
  | { readonly kind: "gone" }
  /** The tool does not show it to this account: it may have been edited, so it is not changed. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string };

const judge = ({ known, record }: ToWrite, now: CopyRead | undefined, to: DestinationStream): CopyNow => {
  if (!now || now.kind === "gone") return { kind: "gone" };
  if (now.kind === "refused") return { kind: "refused", code: now.error.code, message: now.error.message };
  if (isAsLeft(known?.destHash ?? null, now.record, to)) return { kind: "ours" };
  return destinationHash(now.record, to) === destinationHash(record, to)
    ? { kind: "as_wanted", record: now.record }
    : { kind: "edited" };
};

/**
 * Looks at the copies that are about to be changed. Never overwrites a person's edit; anything neither as we left it
 * nor as we want it counts as one, unless the tool reports that the copy is untouched since our write.
 */
export const lookAtCopies = async (
  ctx: ChunkContext,
  updates: readonly ToWrite[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CopyNow>> => {
  const { to } = pairOf(ctx);
  if (!to || updates.length === 0) return new Map();
  const ids = updates.map(({ known }) => known?.destId ?? "");
  const now = await readCopies(ctx, ids, signal);
  const judged = updates.map((update, index) => judge(update, now[index], to));
  const odd = ids.filter((_, index) => judged[index]?.kind === "edited");
  const ours = await onSide("destination", () => untouchedAmong(to, ctx.destination.io(signal), odd));
  return new Map(
    updates.map(({ prepared }, index) => [
      prepared.record.id,
      ours.has(ids[index] ?? "") ? { kind: "ours" } : (judged[index] ?? { kind: "gone" }),
    ]),
  );
};

/** Of copies that differ from the ledger: those that the tool reports as untouched since our write. */
export const untouchedAmong = async (
  to: DestinationStream,
  io: Io,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const untouched = ids.length === 0 ? [] : await to.isUntouched?.(io, ids);
  return new Set(ids.filter((_, index) => untouched?.[index] === true));
};
