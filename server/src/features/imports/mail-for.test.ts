import { expect, test } from "vitest";
import { mailFor } from "./mail-for.ts";
import { step } from "./machine.ts";
import { type ImportEvent, type ImportState, newImportState } from "./state.ts";

const state = (more: Partial<ImportState>): ImportState => ({
  ...newImportState(false, "partner"),
  sourceConnected: true,
  destinationConnected: true,
  ...more,
});
const sampling = state({ status: "sample_in_progress", liveRun: "sample" });
const migrating = state({ status: "migration_in_progress", liveRun: "full" });

const mailAfter = (before: ImportState, event: ImportEvent) => {
  const moved = step(before, event);
  return moved.kind === "moved" ? mailFor(before, event, moved) : "not moved";
};
const needsYou = (about: string, side: string | null = null) => ({ occasion: "needs_you", about, side });
const decided = (about: string) => ({ ...needsYou(about), perChange: true });
const asked = state({
  status: "sample_completed",
  sampleCopy: "all",
  asked: true,
  sponsorship: "undecided",
});
const occasion = (name: string) => ({ occasion: name, about: "", side: null });

test.each<[string, ImportState, ImportEvent, unknown]>([
  ["a sample is done", sampling, { type: "run_done" }, occasion("sample_ready")],
  [
    "a sample is done, and it goes on by itself",
    { ...sampling, asked: true, sponsorship: "accepted" },
    { type: "run_done" },
    occasion("sample_ready"),
  ],
  ["all is copied", migrating, { type: "run_done" }, occasion("done")],
  [
    "all is removed",
    state({ status: "undo_in_progress", liveRun: "undo" }),
    { type: "run_done" },
    occasion("undone"),
  ],
  [
    "a sign-in has ended",
    migrating,
    { type: "attention_required", reason: "destination_sign_in" },
    needsYou("destination_sign_in", "destination"),
  ],
  [
    "something blocks the start",
    state({ status: "in_preparation" }),
    { type: "attention_required", reason: "preflight" },
    needsYou("preflight"),
  ],
  [
    "an undo is held up",
    state({ status: "undo_in_progress", liveRun: "undo" }),
    { type: "attention_required", reason: "undo" },
    needsYou("undo"),
  ],
  ["it could not go on", migrating, { type: "run_failed", wrote: true }, needsYou("run_failed")],
  ["it waited too long", migrating, { type: "run_stopped", wrote: true }, needsYou("run_stopped")],
  ["the partner pays", asked, { type: "sponsorship_accepted" }, decided("sponsorship_accepted")],
  ["the partner declines", asked, { type: "sponsorship_rejected" }, decided("sponsorship_rejected")],
  ["the payment arrived", asked, { type: "bought" }, decided("bought")],
  [
    "the partner takes back its promise before anything started",
    { ...asked, status: "in_preparation", sponsorship: "accepted" },
    { type: "sponsorship_rejected" },
    decided("sponsorship_rejected"),
  ],
  ["the customer has not asked yet", { ...asked, asked: false }, { type: "sponsorship_accepted" }, null],
  ["a no before the customer asks", { ...asked, asked: false }, { type: "sponsorship_rejected" }, null],
  [
    "the sample comes first",
    { ...sampling, asked: true, sponsorship: "undecided" },
    { type: "sponsorship_accepted" },
    null,
  ],
  [
    "the partner pays already",
    { ...asked, status: "in_preparation", sponsorship: "accepted" },
    { type: "bought" },
    null,
  ],
  [
    "it starts by itself",
    state({ startFull: true, sponsorship: "accepted", sourceConnected: false }),
    { type: "connected", side: "source" },
    null,
  ],
  ["a person stopped it", { ...migrating, stopping: "stop" }, { type: "run_stopped", wrote: true }, null],
  ["a person wants it undone", { ...migrating, stopping: "undo" }, { type: "run_failed", wrote: true }, null],
  [
    "it ended before a person could stop and undo it",
    { ...migrating, stopping: "undo" },
    { type: "run_done" },
    null,
  ],
  ["a person starts", state({ status: "waiting_for_sample" }), { type: "sample_started" }, null],
  ["it was closed while it ran", { ...migrating, closed: "cancelled" }, { type: "run_done" }, null],
  ["it is closed", migrating, { type: "cancelled" }, null],
])("%s", (_, before, event, expected) => {
  expect(mailAfter(before, event)).toEqual(expected);
});
