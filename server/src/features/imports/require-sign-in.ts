import type { Database, Transaction } from "../../platform/db.ts";
import { findAccount, markExpired } from "../connections/index.ts";
import { moveImport } from "./move.ts";
import type { Side } from "./state.ts";
import { signInNeeded, wasToldToSignIn } from "./store-connecting.ts";

export type SignInRequired =
  /** The run waits from now on; the customer and the partner were notified once. */
  | { readonly kind: "waits" }
  /** A newer sign-in exists: retry with that. */
  | { readonly kind: "signed_in_since" }
  /** The import was closed meanwhile. */
  | { readonly kind: "missing" };

/** A tool refuses the sign-in that a run opened as `revision` (null: there was none): a person must sign in again. */
export const requireSignIn =
  (db: Database) =>
  async (
    importId: string,
    side: Side,
    revision: number | null,
    /** Runs under the import's lock if the sign-in has expired: a new sign-in can't slip in meanwhile. */
    whenExpired: (tx: Transaction) => Promise<void> = async () => {},
  ): Promise<SignInRequired> => {
    let held: SignInRequired = { kind: "missing" };
    const moved = await moveImport(
      db,
      { type: "attention_required", reason: signInNeeded(side) },
      {
        importId,
        partnerId: null,
        actor: { kind: "system" },
        alongside: async (tx) => {
          const expired =
            revision === null
              ? (await findAccount(tx, { importId, side }))?.state !== "connected"
              : await markExpired(tx, { importId, side }, revision);
          if (expired) await whenExpired(tx);
          // All partitions of a run meet the same refusal; one notification is enough.
          const alreadyNotified = expired && (await wasToldToSignIn(tx, importId, side));
          held = expired ? { kind: "waits" } : { kind: "signed_in_since" };
          return expired && !alreadyNotified;
        },
      },
    );
    return moved.kind === "moved" ? { kind: "waits" } : held;
  };
