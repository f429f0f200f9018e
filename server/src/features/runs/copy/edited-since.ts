import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import { destinationHash, isAsLeft } from "../ledger/keys.ts";
import { type CopyRead, readCopies, recordOf } from "./look-up.ts";
import type { ToWrite } from "./write-page.ts";
import {
  type DestinationStream,
  type FamilyRecord,
  type Io,
  isConnectorError,
  readingOnly,
  type Write,
} from "@portage/connector-kit";

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
 * Copies to which the write has nothing to add: one of ours took effect without an answer, and the tool shows it in its own way, as
 * with tags in lower case. Only the connector knows that way, so it writes, and may send no request that changes anything.
 */
const asWantedAmong = async (
  ctx: ChunkContext,
  to: DestinationStream,
  odd: readonly { readonly write: Write<FamilyRecord>; readonly now: FamilyRecord }[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string | null, CopyNow>> => {
  const found = new Map<string | null, CopyNow>();
  for (const { write, now } of to.stream.kind === "file" ? [] : odd)
    try {
      const io = readingOnly(ctx.destination.io(signal));
      const [outcome] = await onSide("destination", () => to.write(io, [write]));
      if (outcome?.kind === "written")
        found.set(write.id, { kind: "as_wanted", record: outcome.record ?? now });
    } catch (error) {
      if (!isConnectorError(error) || error.recovery !== "skip-record") throw error;
    }
  return found;
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
  const stillOdd = updates.flatMap(({ key, record }, index) => {
    const [id = "", copy] = [ids[index], recordOf(now[index])];
    return copy && odd.includes(id) && !ours.has(id) ? [{ write: { key, record, id }, now: copy }] : [];
  });
  const asWanted = await asWantedAmong(ctx, to, stillOdd, signal);
  return new Map(
    updates.map(({ prepared }, index) => {
      const id = ids[index] ?? "";
      const copy = ours.has(id) ? ({ kind: "ours" } as const) : (asWanted.get(id) ?? judged[index]);
      return [prepared.record.id, copy ?? { kind: "gone" }];
    }),
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
