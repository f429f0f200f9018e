import { importIdPattern } from "@portage/contract";
import { type Step, step } from "./machine.ts";
import type { Actor } from "./import.ts";
import type { Database } from "../../platform/db.ts";
import { lockImport, type LockedImport, saveStep } from "./store-changes.ts";
import type { ImportEvent } from "./state.ts";

export type Moved = Step | { readonly kind: "missing" };

export interface MoveOptions {
  readonly importId: string;
  /** Only an open import of this partner is there for it; null for the operator and the system. */
  readonly partnerId: string | null;
  readonly actor: Actor;
}

const isThere = (found: LockedImport | undefined, partnerId: string | null): found is LockedImport =>
  found !== undefined &&
  (partnerId === null || (found.partnerId === partnerId && found.state.closed === null));

/** Applies one event to an import: status, audit row, outbox and events in one transaction, one event at a time. */
export const moveImport = async (
  db: Database,
  event: ImportEvent,
  { importId, partnerId, actor }: MoveOptions,
): Promise<Moved> => {
  // An id that none of ours can be is not asked for: the database refuses some texts outright.
  if (!importIdPattern.test(importId)) return { kind: "missing" };
  return db.sql.transaction().execute(async (tx): Promise<Moved> => {
    const found = await lockImport(tx, importId);
    if (!isThere(found, partnerId)) return { kind: "missing" };
    const result = step(found.state, event);
    if (result.kind === "moved") await saveStep(tx, found, event, result, actor);
    return result;
  });
};
