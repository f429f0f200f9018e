import type { Database } from "../../platform/db.ts";
import { eraseCredentials } from "../connections/index.ts";
import { forgetFacts } from "../mapping/index.ts";
import { purgeUploads } from "../uploads/index.ts";
import type { Actor } from "./import.ts";
import { moveImport } from "./move.ts";
import type { Side } from "./state.ts";
import { forgetGivenToken } from "./store-connecting.ts";

export type Disconnected =
  | { readonly kind: "disconnected" }
  /** A live run needs the credentials: it must first settle what it has in doubt. */
  | { readonly kind: "under_way" }
  | { readonly kind: "missing" };

/** Erases a side's credentials (with the source's also the facts and uploaded files) and moves the import, both or neither. */
export const disconnectSide =
  (db: Database) =>
  async (importId: string, side: Side, actor: Actor = { kind: "customer" }): Promise<Disconnected> => {
    let refused: Disconnected = { kind: "missing" };
    const moved = await moveImport(
      db,
      { type: "disconnected", side },
      {
        importId,
        partnerId: null,
        actor,
        alongside: async (tx, { liveRun }) => {
          const isNeeded = liveRun === "undo" ? side === "destination" : liveRun !== null;
          if (isNeeded) {
            refused = { kind: "under_way" };
            return false;
          }
          await eraseCredentials(tx, { importId, side });
          if (side === "destination") await forgetGivenToken(tx, importId);
          else {
            await forgetFacts(tx, importId);
            await purgeUploads(tx, importId);
          }
          return true;
        },
      },
    );
    return moved.kind === "refused" || moved.kind === "missing" ? refused : { kind: "disconnected" };
  };
