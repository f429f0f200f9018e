import { inDoubt, isThere, mayExist, parentOf, replaced } from "../ledger/row-state.ts";
import type { KnownRow } from "../ledger/store-claim.ts";
import type { SettledRow } from "../ledger/store-settle.ts";

export const asItWas = (known: KnownRow): SettledRow => ({
  sourceId: known.sourceId,
  state: known.state,
  destId: known.destId,
  sourceHash: known.sourceHash,
  destHash: known.destHash,
  reason: known.reason,
  detail: known.detail,
  keyGeneration: known.keyGeneration,
  parent: known.parent,
  declared: known.declared ?? null,
  unclear: known.unclear ?? false,
});

/** The key that was sent for a record, also if it is not written this time: a row never forgets it. */
export const sentFor = (known: KnownRow | undefined): Pick<SettledRow, "keyGeneration" | "parent"> =>
  known && mayExist(known)
    ? { keyGeneration: known.keyGeneration, parent: parentOf(known) }
    : { keyGeneration: null, parent: null };

/** Another person now replaces this copy: it goes once nothing points to it. */
export const replacedRow = (known: KnownRow, by: string | null, sourceHash: string): SettledRow => ({
  ...asItWas(known),
  state: "written",
  sourceHash,
  reason: replaced,
  detail: by,
});

/** The copy stays as it is, and the next run looks at it again: its old hash stays. */
export const leftRow = (known: KnownRow, reason: string, detail: string | null): SettledRow => ({
  ...asItWas(known),
  reason,
  detail,
});

/**
 * The record is not written this time: unreadable, its parent not copied, or not selected. A row with a certain or
 * possible copy must keep it: otherwise the copy would be made twice, and never undone.
 */
export const keepCopy = (row: SettledRow, known: KnownRow | undefined): SettledRow => {
  const why = [row.reason, row.detail].filter((part) => part !== null).join(": ");
  if (known?.state === "written" && known.reason !== replaced) return leftRow(known, "update_failed", why);
  // What an undo kept without having seen it has no copy that anything could point to.
  const isCopy = known !== undefined && isThere(known.state) && !mayExist(known);
  return known && (isCopy || known.reason === inDoubt) ? asItWas(known) : row;
};
