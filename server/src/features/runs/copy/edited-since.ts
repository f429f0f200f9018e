import { elapsedMs, momentNow } from "../../../platform/moment.ts";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import { destinationHash, isAsLeft } from "../ledger/keys.ts";
import { type CopyRead, readCopies } from "./look-up.ts";
import type { ToWrite } from "./write-page.ts";
import {
  declaredBy,
  declaredOf,
  declaredTogether,
  type DestinationStream,
  differingFields,
  type FamilyRecord,
  type FieldChange,
  type Io,
  isConnectorError,
  readingOnly,
  type Write,
} from "@portage/connector-kit";

export type CopyNow =
  /** As we left it: it may be changed. */
  | { readonly kind: "ours" }
  /** Equal to what we are about to write: a write of ours whose settlement was lost. */
  | {
      readonly kind: "as_wanted";
      readonly record: FamilyRecord;
      readonly changes?: readonly FieldChange[];
    }
  | { readonly kind: "edited" }
  /** Changed by an update of ours without an answer, or by a person. */
  | { readonly kind: "unclear"; readonly record: FamilyRecord }
  /** The time for such looks is over: the record waits for the next attempt. */
  | { readonly kind: "not_asked" }
  | { readonly kind: "gone" }
  /** The tool does not show it to this account: it may have been edited, so it is not changed. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string };

const judge = (
  { lease }: Pick<ChunkContext, "lease">,
  { known, record }: ToWrite,
  now: CopyRead | undefined,
  to: DestinationStream,
): CopyNow => {
  if (!now || now.kind === "gone") return { kind: "gone" };
  if (now.kind === "refused") return { kind: "refused", code: now.error.code, message: now.error.message };
  const destHash = known?.destHash ?? null;
  if (isAsLeft(destHash, now.record, to)) return { kind: "ours" };
  if (destinationHash(now.record, to) === destinationHash(record, to))
    return { kind: "as_wanted", record: now.record };
  // The ledger does not know how our last write left it, or that write had no clear answer.
  const isUnclear = destHash === null || known?.unclear === true || lease.looksFrom !== null;
  return isUnclear ? { kind: "unclear", record: now.record } : { kind: "edited" };
};

/** Custom fields of a copy that the import writes nothing to: what is in them may be a person's. */
const hasFurtherFields = (now: FamilyRecord, wanted: FamilyRecord): boolean =>
  Object.entries(now.customFields).some(
    ([field, value]) =>
      !Object.hasOwn(wanted.customFields, field) &&
      value !== null &&
      value !== "" &&
      !(Array.isArray(value) && value.length === 0),
  );

/**
 * Whether a copy is as the write would make it, in the form in which the tool shows it, such as tags in lower case. Only the
 * connector knows that form: it writes, and may send no request that changes anything.
 */
const asWanted = async (
  to: DestinationStream,
  io: Io,
  { write, now }: { readonly write: Write<FamilyRecord>; readonly now: FamilyRecord },
): Promise<CopyNow | null> => {
  if (to.stream.kind === "file" || hasFurtherFields(now, write.record)) return null;
  try {
    const [outcome] = await onSide("destination", () => to.write(readingOnly(io), [write]));
    if (outcome?.kind !== "written") return null;
    const changes = outcome.changes ?? [];
    const declared = declaredTogether(declaredOf(to), declaredBy(to.stream, changes));
    return differingFields(to.stream, write.record, now, declared).length === 0
      ? { kind: "as_wanted", record: now, changes }
      : null;
  } catch (error) {
    if (!isConnectorError(error) || error.recovery !== "skip-record") throw error;
    return null;
  }
};

/** The reason of a row whose copy stays, since nobody can tell who changed it. */
export const maybeEdited = "maybe_edited";

/** The share of the write deadline in which unclear copies are looked at, each with requests of its own; the rest is for writes. */
const lookShare = 1 / 3;

/**
 * Looks at the copies that are about to be changed. Never overwrites a person's edit; anything neither as we left it
 * nor as we want it may be one, unless the tool reports that the copy is untouched since our write.
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
  const judged = updates.map((update, index) => judge(ctx, update, now[index], to));
  const odd = ids.filter((_, index) => judged[index]?.kind === "edited" || judged[index]?.kind === "unclear");
  const io = ctx.destination.io(signal);
  const ours = await onSide("destination", () => untouchedAmong(to, io, odd));
  const looked = new Map<string, CopyNow>();
  const startedAt = momentNow();
  let asked = 0;
  for (const [index, { prepared, key, record, known }] of updates.entries()) {
    const id = ids[index] ?? "";
    const found = judged[index] ?? { kind: "gone" };
    const copy: CopyNow = ours.has(id) ? { kind: "ours" } : found;
    // An earlier attempt at this page has asked, and could not tell.
    const isAsked = known?.runNumber === ctx.lease.runNumber && known.reason === maybeEdited;
    if (copy.kind !== "unclear" || isAsked) looked.set(prepared.record.id, copy);
    // At least one each time, so that every attempt gets on.
    else if (asked > 0 && elapsedMs(startedAt) > ctx.times.writeMs * lookShare)
      looked.set(prepared.record.id, { kind: "not_asked" });
    else {
      asked += 1;
      const clear = await asWanted(to, io, { write: { key, record, id }, now: copy.record });
      looked.set(prepared.record.id, clear ?? copy);
    }
  }
  return looked;
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
