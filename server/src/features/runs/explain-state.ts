import type { FindingKind } from "../imports/index.ts";
import type { LedgerState } from "./ledger-state.ts";
import { reasonText } from "./reasons.ts";

const kinds: Readonly<Record<LedgerState, FindingKind>> = {
  written: "kept",
  matched: "kept",
  skipped: "skipped",
  failed: "failed",
  undone: "kept",
  kept: "kept",
};

/** What became of one record and why, for people: one sentence. */
export const explainState = (state: LedgerState, code: string): string =>
  `This record ${reasonText(kinds[state], code)}.`;
