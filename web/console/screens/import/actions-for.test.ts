import { expect, test } from "vitest";
import { rightsOf } from "../../app/rights.ts";
import { actionsFor } from "./actions-for.ts";

type Judged = Parameters<typeof actionsFor>[0];

const found = (given: Partial<Judged>): Judged => ({
  status_code: "sample_completed",
  closed: null,
  live_run: null,
  stopping: null,
  sponsorship: "accepted",
  bought: false,
  source_connected: true,
  destination_connected: true,
  findings: [],
  items: {},
  runs: [],
  ...given,
});
const run = (wanted: "run" | "pause") => ({ wanted }) as Judged["runs"][number];
const operator = rightsOf("operator");
const admin = rightsOf("admin");

test("a viewer and a partner's person get no action, whatever the state", () => {
  for (const role of ["viewer", "partner"] as const)
    for (const given of [{}, { live_run: "full" }, { closed: "cancelled" as const }])
      expect(actionsFor(found(given), rightsOf(role))).toEqual([]);
});

test("a live run is paused or resumed, stopped, or stopped and undone; nothing starts beside it", () => {
  const live = { status_code: "migration_in_progress", live_run: "full" } as const;
  expect(actionsFor(found({ ...live, runs: [run("run")] }), operator)).toEqual([
    "pause",
    "link",
    "stop",
    "stopAndUndo",
    "cancel",
  ]);
  expect(actionsFor(found({ ...live, runs: [run("pause")] }), operator)[0]).toBe("resume");
  expect(actionsFor(found({ ...live, stopping: "stop" }), operator)).toEqual(["link", "cancel"]);
  expect(actionsFor(found({ ...live, live_run: "undo" }), operator)).toEqual(["link", "cancel"]);
});

test("the full migration starts only in preparation, paid for, with both tools connected", () => {
  const starts = (given: Partial<Judged>) =>
    actionsFor(found({ status_code: "in_preparation", ...given }), operator).includes("startFull");
  expect(starts({})).toBe(true);
  // The customer has not asked for it yet.
  expect(starts({ status_code: "sample_completed" })).toBe(false);
  expect(starts({ sponsorship: "undecided" })).toBe(false);
  expect(starts({ sponsorship: "rejected", bought: true })).toBe(true);
  expect(starts({ source_connected: false })).toBe(false);
});

test("only failures are retried, and only copies undone", () => {
  const done = { status_code: "migration_completed" } as const;
  expect(actionsFor(found(done), operator)).not.toContain("retry");
  expect(actionsFor(found(done), operator)).not.toContain("undo");
  const finding = { stream: "tickets", code: "x", count: 1, examples: [] };
  expect(actionsFor(found({ ...done, findings: [{ ...finding, kind: "skipped" }] }), operator)).not.toContain(
    "retry",
  );
  expect(
    actionsFor(
      found({ ...done, findings: [{ ...finding, kind: "failed" }], items: { tickets: 3 } }),
      operator,
    ),
  ).toEqual(expect.arrayContaining(["retry", "undo"]));
});

test("only an admin erases, and only what is closed", () => {
  expect(actionsFor(found({ closed: "cancelled" }), operator)).toEqual([]);
  expect(actionsFor(found({ closed: "cancelled" }), admin)).toEqual(["erase"]);
  expect(actionsFor(found({ closed: "cancelled", live_run: "undo" }), admin)).toEqual([]);
  expect(actionsFor(found({}), admin)).not.toContain("erase");
});
