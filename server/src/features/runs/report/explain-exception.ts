import { explainState } from "../progress/reasons.ts";
import { inDoubt } from "../ledger/row-state.ts";
import type { Exception } from "./store-exceptions.ts";

const codeOf = ({ state, reason, deleted }: Exception) =>
  reason ?? (deleted ? "deleted_at_source" : state === "matched" ? "already_there" : "");

/** Why a record was not simply written: its code, "" if there is none, and the tool's own words. */
export const causeOf = (row: Exception): { readonly code: string; readonly detail: string | null } => {
  const code = codeOf(row);
  // The detail of a row in doubt is only for looking it up.
  return { code, detail: code === inDoubt ? null : row.detail };
};

/** The same with a sentence for people; empty if there is no more to say. */
export const explainException = (row: Exception): { readonly code: string; readonly explanation: string } => {
  const { code, detail } = causeOf(row);
  return { code, explanation: detail ?? (code === "" ? "" : explainState(row.state, code)) };
};
