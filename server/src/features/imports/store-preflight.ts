import type { Transaction } from "../../platform/db.ts";
import type { Side } from "./state.ts";
import { type PreflightCode, preflightTexts, type WarningCode } from "./warnings.ts";

/** Something that was found before a full run, as everybody is shown it. */
export interface PreflightWarning {
  readonly code: PreflightCode;
  /** A stream, a side, or "" for the whole. */
  readonly about: string;
  readonly message: string;
  readonly count: number;
}

/** What the warning `action_required` is about when something other than a sign-in is in the way of a full run. */
export const preflightFailed = "preflight";

/** Found only where a full run can't begin: a run that has begun, or another sign-in, has overcome it. */
const obstacles: readonly PreflightCode[] = [
  ...(["not_connected", "sign_in_refused", "no_permission", "wrong_address", "unreachable"] as const),
  ...(["cannot_read", "no_room"] as const),
];

const forgetCall = (tx: Transaction, importId: string) =>
  tx
    .deleteFrom("importWarnings")
    .where("importId", "=", importId)
    .where("code", "=", "action_required" satisfies WarningCode)
    .where("stream", "=", preflightFailed)
    .execute();

const forget = (tx: Transaction, importId: string, codes: readonly string[]) =>
  tx.deleteFrom("importWarnings").where("importId", "=", importId).where("code", "in", codes);

/** Puts what was found in place of what was found before. */
export const replacePreflightWarnings = async (
  tx: Transaction,
  importId: string,
  found: readonly PreflightWarning[],
): Promise<void> => {
  await forgetCall(tx, importId);
  await forget(tx, importId, Object.keys(preflightTexts)).execute();
  if (found.length === 0) return;
  await tx
    .insertInto("importWarnings")
    .values(
      found.map(({ code, about, message, count }) => ({ importId, code, stream: about, message, count })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** A full run has begun, whoever began it. */
export const forgetObstacles = async (tx: Transaction, importId: string): Promise<void> => {
  await forgetCall(tx, importId);
  await forget(tx, importId, obstacles).execute();
};

/** A side has been connected anew: what was wrong with the sign-in before says nothing about this one. */
export const forgetSideObstacles = async (tx: Transaction, importId: string, side: Side): Promise<void> => {
  await forget(tx, importId, obstacles).where("stream", "=", side).execute();
};
