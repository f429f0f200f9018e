import { explainState } from "../explain-state.ts";
import { inDoubt } from "../in-doubt.ts";
import type { Exception } from "./store-exceptions.ts";

const codeOf = ({ state, reason, deleted }: Exception) =>
  reason ?? (deleted ? "deleted_at_source" : state === "matched" ? "already_there" : "");

/** Why a record was not simply written: its code, and a sentence for people; both empty where there is no more to say. */
export const explainException = (row: Exception): { readonly code: string; readonly explanation: string } => {
  const code = codeOf(row);
  // What is noted of those that are in doubt is for looking for them.
  const told = code === inDoubt ? null : row.detail;
  return { code, explanation: told ?? (code === "" ? "" : explainState(row.state, code)) };
};
