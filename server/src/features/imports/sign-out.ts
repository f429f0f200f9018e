import { prepareRevocation, type Revoked, type SignInNeeds } from "../connections/index.ts";
import { type Disconnected, disconnectSide } from "./disconnect-side.ts";
import type { Side } from "./state.ts";
import { findGiven } from "./store-connecting.ts";

interface Needs extends Pick<SignInNeeds, "db" | "sealer" | "registry" | "server"> {
  /** The outcome of the revocation at the tool; nothing secret. */
  readonly onRevoked: (importId: string, side: Side, revoked: Revoked) => void;
}

/** Erases a side's credentials here, then revokes them at the tool, as far as the tool allows. */
export const signOut =
  (needs: Needs) =>
  async (importId: string, side: Side): Promise<Disconnected> => {
    const given = await findGiven(needs.db, needs.sealer, importId, side);
    const revoke = await prepareRevocation(needs, { importId, side }, given);
    const ended = await disconnectSide(needs.db)(importId, side);
    // Erased credentials stay erased, whatever the tool answers.
    if (ended.kind === "disconnected") needs.onRevoked(importId, side, await revoke());
    return ended;
  };
