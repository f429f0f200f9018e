import { payers } from "@portage/contract";
import { type ImportEvent, newImportState } from "../../server/src/features/imports/state.ts";

const bool = [true, false];

/** All that can happen to an import, with everything that its transitions look at. */
export const everyEvent: readonly ImportEvent[] = [
  ...(["connected", "disconnected"] as const).flatMap((type) =>
    (["source", "destination"] as const).map((side) => ({ type, side })),
  ),
  ...(["sample_started", "full_started", "undo_started", "started_over", "matching_changed"] as const).map(
    (type) => ({ type }),
  ),
  ...(["delta_started", "retry_started"] as const).flatMap((type) =>
    bool.map((withinWindow) => ({ type, withinWindow })),
  ),
  ...(
    ["stop_requested", "stop_and_undo_requested", "pause_requested", "resume_requested", "run_done"] as const
  ).map((type) => ({ type })),
  ...(["run_failed", "run_stopped"] as const).flatMap((type) => bool.map((wrote) => ({ type, wrote }))),
  { type: "start_due" },
  { type: "attention_required", reason: "sign_in" },
  ...payers.map((payer) => ({ type: "full_asked" as const, payer })),
  ...(
    ["sponsorship_accepted", "sponsorship_rejected", "bought", "refunded", "cancelled", "archived"] as const
  ).map((type) => ({ type })),
];

/** The states in which an import can be created. */
export const newImportStates = bool.flatMap((startFull) =>
  payers.map((payer) => newImportState(startFull, payer)),
);
