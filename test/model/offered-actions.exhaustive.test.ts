import { statusCodes } from "@portage/contract";
import { expect, test } from "vitest";
import { step } from "../../server/src/features/imports/machine.ts";
import {
  type ImportEvent,
  type ImportState,
  somethingWritten,
} from "../../server/src/features/imports/state.ts";
import { rightsOf } from "../../web/console/app/rights.ts";
import { type ActionName, actionsFor } from "../../web/console/screens/import/actions-for.ts";
import { explore } from "./explore.ts";
import { everyEvent, newImportStates } from "./import-events.ts";

/** What the operator API passes to the state machine; null: it does not ask it. */
const eventOf: Readonly<Record<ActionName, ImportEvent | null>> = {
  resume: { type: "resume_requested" },
  pause: { type: "pause_requested" },
  retry: { type: "retry_started", withinWindow: true },
  startSample: { type: "sample_started" },
  startFull: { type: "full_started" },
  startDelta: { type: "delta_started", withinWindow: true },
  sponsorship: { type: "sponsorship_accepted" },
  link: null,
  stop: { type: "stop_requested" },
  stopAndUndo: { type: "stop_and_undo_requested" },
  undo: { type: "undo_started" },
  archive: { type: "archived" },
  cancel: { type: "cancelled" },
  erase: null,
};

/** The import as the API shows it, with as much to retry and to undo as its state allows. */
const shown = (state: ImportState): Parameters<typeof actionsFor>[0] => ({
  status_code: state.status,
  closed: state.closed,
  live_run: state.liveRun,
  stopping: state.stopping,
  sponsorship: state.sponsorship,
  bought: state.bought,
  source_connected: state.sourceConnected,
  destination_connected: state.destinationConnected,
  findings: [{ stream: "tickets", kind: "failed", code: "x", count: 1, examples: [] }],
  items: somethingWritten(state) ? { tickets: 1 } : {},
  runs: [],
});

test("in every state the state machine accepts what the console offers", () => {
  const { states } = explore<ImportState, ImportEvent>(newImportStates, (state) =>
    everyEvent.flatMap((event) => {
      const result = step(state, event);
      return result.kind === "moved" ? [{ label: event, to: result.state }] : [];
    }),
  );
  expect(new Set(states.map(({ status }) => status))).toEqual(new Set(statusCodes));
  const offered = new Set<ActionName>();
  const refused = new Set<string>();
  for (const state of states)
    for (const name of actionsFor(shown(state), rightsOf("admin"))) {
      offered.add(name);
      const event = eventOf[name];
      if (event && step(state, event).kind === "refused") refused.add(`${name}: ${state.status}`);
    }
  expect([...refused]).toEqual([]);
  // `resume` takes the place of `pause` while a run rests.
  expect(Object.keys(eventOf).filter((name) => !offered.has(name as ActionName))).toEqual(["resume"]);
});
