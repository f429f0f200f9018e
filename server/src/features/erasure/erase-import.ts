import type { Database } from "../../platform/db.ts";
import {
  beginErasure,
  deleteOldAudit,
  endErasure,
  eraseBatch,
  type Erasure,
  findErasure,
  listLongClosed,
} from "./store.ts";

export type Erased =
  | { readonly kind: "erased"; readonly erasure: Erasure }
  | { readonly kind: "missing" }
  /** The import is open, or its run has not ended: cancel it first. */
  | { readonly kind: "open" | "live_run" };

/** Erases the data of an import's customer. Interrupted, it goes on with the next call; a second one changes nothing. */
export const eraseImport = async (
  db: Database,
  importId: string,
  reason: Erasure["reason"] = "requested",
): Promise<Erased> => {
  const before = await findErasure(db, importId);
  if (before?.endedAt) return { kind: "erased", erasure: before };
  const begun = await beginErasure(db, importId, reason);
  if (begun.kind !== "begun") return begun;
  while (await eraseBatch(db, importId));
  await endErasure(db, importId, reason);
  const erasure = await findErasure(db, importId);
  if (!erasure) throw new Error("The erasure was not recorded.");
  return { kind: "erased", erasure };
};

const batch = 100;

/** Erases imports that were closed long ago, and then their audit logs. */
export const eraseLongClosed = async (db: Database, days: number): Promise<number> => {
  let erased = 0;
  for (let ids = await listLongClosed(db, days, batch); ids.length > 0; ) {
    for (const id of ids) await eraseImport(db, id, "retention");
    erased += ids.length;
    ids = await listLongClosed(db, days, batch);
  }
  while ((await deleteOldAudit(db, days, batch)) > 0);
  return erased;
};
