import type { Database } from "../../platform/db.ts";
import { moveImport } from "./move.ts";
import { isIdle, listIdleImports } from "./store-retention.ts";

const batch = 100;

/** Archives imports that were idle for the partner's retention period. One import, one transaction. */
export const archiveIdleImports = async (db: Database): Promise<{ archived: number }> => {
  let archived = 0;
  for (;;) {
    const ids = await listIdleImports(db, batch);
    let moved = 0;
    for (const importId of ids) {
      const result = await moveImport(
        db,
        { type: "archived" },
        {
          importId,
          partnerId: null,
          actor: { kind: "system" },
          // The customer may have acted since the list was read.
          alongside: (tx) => isIdle(tx, importId),
        },
      );
      if (result.kind === "moved") moved++;
    }
    archived += moved;
    // An import that could not be archived stays in the list: stop when a round archives none.
    if (moved === 0) return { archived };
  }
};
