import type { StatusCode } from "@portage/contract";
import { describe, expect, test } from "vitest";
import { step } from "./machine.ts";
import { type ImportEvent, type ImportState, newImportState } from "./state.ts";

describe("order does not matter", () => {
  const permutations = <T>(items: readonly T[]): T[][] =>
    items.length < 2
      ? [[...items]]
      : items.flatMap((item, index) =>
          permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
        );
  const sampling: ImportState = {
    ...newImportState(false, "partner_decides"),
    status: "sample_in_progress",
    sourceConnected: true,
    destinationConnected: true,
    liveRun: "sample",
  };
  const end = (events: readonly ImportEvent[]) => {
    let state = sampling;
    for (const event of events) {
      const result = step(state, event);
      if (result.kind === "moved") state = result.state;
    }
    return state;
  };
  const done: ImportEvent = { type: "run_done" };
  const accept: ImportEvent = { type: "sponsorship_accepted" };
  const ask: ImportEvent = { type: "full_asked", payer: "partner_decides" };

  test.each<{ events: ImportEvent[]; status: StatusCode }>([
    { events: [done, accept, ask], status: "in_preparation" },
    { events: [done, accept, accept, ask, ask], status: "in_preparation" },
    { events: [done, accept], status: "sample_completed" },
    { events: [done, ask], status: "sample_completed" },
    { events: [done, { type: "bought" }], status: "in_preparation" },
    { events: [done, { type: "bought" }, accept], status: "in_preparation" },
  ])("of $events.length events ending in $status", ({ events, status }) => {
    expect(new Set(permutations(events).map((order) => end(order).status))).toEqual(new Set([status]));
  });
});
