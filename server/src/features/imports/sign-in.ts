import {
  redeemSignIn,
  type SignInBegun,
  type SignInNeeds,
  createSignInRequest,
  type TrySettings,
} from "../connections/index.ts";
import { type Connected, connectSide, toolOf } from "./connect-side.ts";
import type { ImportRecord } from "./import.ts";
import type { Side } from "./state.ts";
import { findGiven } from "./store-connecting.ts";

export type SignInFinished =
  | Connected
  /** It was never begun, took too long, was used already, or belongs to another import. */
  | { readonly kind: "unknown" };

/** Sends the customer to a tool's own sign-in page. */
export const beginSignIn =
  (needs: SignInNeeds) =>
  async (found: ImportRecord, side: Side, typed: object): Promise<SignInBegun> => {
    const given = await findGiven(needs.db, needs.sealer, found.id, side);
    return createSignInRequest(needs)({ importId: found.id, side, tool: toolOf(found, side), typed, given });
  };

/**
 * Connects a side with the callback from a tool's sign-in page. Only for the import that the returning person may act
 * for: another import's sign-in must never end up in it.
 */
export const finishSignIn =
  (needs: SignInNeeds & { readonly trySettings: TrySettings }) =>
  async (
    found: ImportRecord,
    query: URLSearchParams,
    /** The only side that the returning person may connect; null: either. */
    only: Side | null = null,
  ): Promise<SignInFinished> => {
    const givenFor = (side: Side) => findGiven(needs.db, needs.sealer, found.id, side);
    const redeemed = await redeemSignIn(needs)({ importId: found.id, side: only }, query, givenFor);
    if (redeemed.kind !== "signed_in") return redeemed;
    const { tokens, learned, pending } = redeemed;
    return connectSide(needs)(found, pending.side, pending.typed, { tokens, learned });
  };
