import { expect, test } from "vitest";
import { leftOver } from "./left-over.ts";
import { step } from "./machine.ts";
import { type ImportEvent, type ImportState, newImportState } from "./state.ts";

const connected: readonly ImportEvent[] = [
  { type: "connected", side: "source" },
  { type: "connected", side: "destination" },
];
const sampled: readonly ImportEvent[] = [...connected, { type: "sample_started" }, { type: "run_done" }];
const undone: readonly ImportEvent[] = [...sampled, { type: "undo_started" }, { type: "run_done" }];
const asked: readonly ImportEvent[] = [{ type: "full_asked", payer: "partner" }, { type: "full_started" }];
const cancelled: ImportEvent = { type: "cancelled" };

const after = (events: readonly ImportEvent[]) =>
  leftOver(
    events.reduce<ImportState>(
      (state, event) => {
        const moved = step(state, event);
        if (moved.kind !== "moved") throw new Error(`${event.type}: ${moved.kind}`);
        return moved.state;
      },
      newImportState(false, "partner"),
    ),
  );

test.each<[string, readonly ImportEvent[], string, boolean]>([
  ["before anything", [cancelled], "nothing", true],
  ["after a sample", [...sampled, cancelled], "there", true],
  ["after an undone sample", [...undone, cancelled], "removed", true],
  ["after an undone sample, begun anew", [...undone, { type: "started_over" }, cancelled], "nothing", true],
  ["while the sample runs", [...connected, { type: "sample_started" }, cancelled], "stopping", false],
  [
    "once that sample has stopped with something written",
    [...connected, { type: "sample_started" }, cancelled, { type: "run_stopped", wrote: true }],
    "there",
    true,
  ],
  [
    "once that sample has stopped with nothing written",
    [...connected, { type: "sample_started" }, cancelled, { type: "run_stopped", wrote: false }],
    "nothing",
    true,
  ],
  [
    "once that sample was done nevertheless",
    [...connected, { type: "sample_started" }, cancelled, { type: "run_done" }],
    "there",
    true,
  ],
  [
    "once a full copy has stopped with something written",
    [...sampled, ...asked, cancelled, { type: "run_stopped", wrote: true }],
    "there",
    true,
  ],
  ["while an undo runs", [...sampled, { type: "undo_started" }, cancelled], "removing", false],
  [
    "once that undo is done",
    [...sampled, { type: "undo_started" }, cancelled, { type: "run_done" }],
    "removed",
    true,
  ],
])("closed %s", (_, events, copies, signInsErased) => {
  expect(after(events)).toEqual({ copies, signInsErased });
});
