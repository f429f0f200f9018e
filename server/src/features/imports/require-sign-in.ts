import type { Database, Transaction } from "../../platform/db.ts";
import { findAccount, markExpired } from "../connections/index.ts";
import { moveImport } from "./move.ts";
import type { Side } from "./state.ts";
import { signInNeeded, wasToldToSignIn } from "./store-connecting.ts";

export type SignInRequired =
  /** From now on the run waits; the customer and the partner have been told once. */
  | { readonly kind: "waits" }
  /** Somebody has signed in since: try again with that. */
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
    /** Done under the import's lock when a person really must: nobody can sign in unnoticed meanwhile. */
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
          // All partitions of a run meet the same refusal; one message is enough.
          const told = expired && (await wasToldToSignIn(tx, importId, side));
          held = expired ? { kind: "waits" } : { kind: "signed_in_since" };
          return expired && !told;
        },
      },
    );
    return moved.kind === "moved" ? { kind: "waits" } : held;
  };
