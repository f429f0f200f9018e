import type { Transaction } from "../../platform/db.ts";
import type { Side } from "./state.ts";
import { type PreflightCode, preflightTexts, type WarningCode } from "./warnings.ts";

/** A finding of the pre-flight, as the wizard and the API show it. */
export interface PreflightWarning {
  readonly code: PreflightCode;
  /** A stream, a side, or "" for the whole. */
  readonly about: string;
  readonly message: string;
  readonly count: number;
}

/** The subject of the warning `action_required` when something other than a sign-in blocks a full run. */
export const preflightFailed = "preflight";

/** These block the start of a full run: a started run, or a new sign-in, has overcome them. */
const obstacles: readonly PreflightCode[] = [
  "not_connected",
  "sign_in_refused",
  "no_permission",
  "wrong_address",
  "unreachable",
  "cannot_read",
  "no_room",
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

/** Replaces the findings of the previous pre-flight. */
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

/** A full run has begun, by whichever way. */
export const forgetObstacles = async (tx: Transaction, importId: string): Promise<void> => {
  await forgetCall(tx, importId);
  await forget(tx, importId, obstacles).execute();
};

/** A side has a new sign-in: problems of the previous one do not apply to it. */
export const forgetSideObstacles = async (tx: Transaction, importId: string, side: Side): Promise<void> => {
  await forget(tx, importId, obstacles).where("stream", "=", side).execute();
};
