import type { FindingKind } from "../../imports/index.ts";
import { type LedgerState, replaced } from "../ledger/row-state.ts";

/** Reasons of rows whose copy stays as it is. */
const keptCodes: ReadonlySet<string> = new Set(["edited_since", "maybe_edited", "deleted_since", replaced]);

/** What a row's state and reason mean to a person; null: nothing. */
export const findingKindOf = ({
  state,
  code,
}: {
  readonly state: LedgerState;
  /** Empty: no reason. */
  readonly code: string;
}): FindingKind | null => {
  if (state === "failed" || code === "update_failed") return "failed";
  if (state === "skipped" || state === "kept") return state;
  return keptCodes.has(code) ? "kept" : null;
};
