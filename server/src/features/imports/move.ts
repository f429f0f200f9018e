import { importIdPattern } from "@portage/contract";
import { type Step, step } from "./machine.ts";
import type { Actor } from "./import.ts";
import type { Database, Transaction } from "../../platform/db.ts";
import { moneyFor } from "./money-for.ts";
import { lockImport, type LockedImport, saveStep } from "./store-changes.ts";
import type { ImportEvent, ImportState } from "./state.ts";

export type Moved = Step | { readonly kind: "missing" };

export interface MoveOptions {
  readonly importId: string;
  /** Restricts the move to an open import of this partner; null for the operator and the system. */
  readonly partnerId: string | null;
  readonly actor: Actor;
  /**
   * What must be true together with the event: runs under the import's lock, in the same transaction, unless the event
   * is refused. False refuses the event; what was written so far stays.
   */
  readonly alongside?: (tx: Transaction, before: ImportState) => Promise<boolean>;
}

const isThere = (found: LockedImport | undefined, partnerId: string | null): found is LockedImport =>
  found !== undefined &&
  (partnerId === null || (found.partnerId === partnerId && found.state.closed === null));

/** Like `moveImport`, within the caller's transaction. */
export const moveWithin = async (
  tx: Transaction,
  event: ImportEvent,
  { importId, partnerId, actor, alongside }: MoveOptions,
): Promise<Moved> => {
  const found = await lockImport(tx, importId);
  if (!isThere(found, partnerId)) return { kind: "missing" };
  const result = step(found.state, event);
  if (result.kind === "refused" || (alongside && !(await alongside(tx, found.state))))
    return { kind: "refused" };
  if (result.kind !== "moved") return result;
  await saveStep(tx, found, event, result, actor);
  const alongsideRefund = await moneyFor(tx, found, event, result);
  if (alongsideRefund === null) return result;
  const followed = await moveWithin(
    tx,
    { type: "refunded" },
    { importId, partnerId: null, actor: { kind: "system" }, alongside: alongsideRefund },
  );
  if (followed.kind !== "moved") return result;
  return {
    ...followed,
    path: [...result.path, ...followed.path],
    effects: [...result.effects, ...followed.effects],
  };
};

/** Applies one event to an import: status, audit row, outbox, events and money in one transaction, one at a time. */
export const moveImport = async (db: Database, event: ImportEvent, options: MoveOptions): Promise<Moved> => {
  // Does not query an id that can't be one of ours: the database rejects some texts outright.
  if (!importIdPattern.test(options.importId)) return { kind: "missing" };
  return db.sql.transaction().execute((tx) => moveWithin(tx, event, options));
};
