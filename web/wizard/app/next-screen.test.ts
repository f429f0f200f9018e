import { type StatusCode, statusCodes } from "@portage/contract";
import { describe, expect, test } from "vitest";
import { fits, nextScreen, screenFor } from "./next-screen.ts";

type ImportView = Parameters<typeof nextScreen>[0];

const side = (connected: boolean, accountName: string | null = null) =>
  ({ connected, accountName }) as ImportView["sides"]["source"];

const view = (code: StatusCode, more: Partial<ImportView> = {}): ImportView => ({
  status: { code, text: "" as never },
  sides: { source: side(true), destination: side(true) },
  may: "everything",
  asked: false,
  paid: false,
  run: null,
  ...more,
});

test("a run that waits for a sign-in leads to that sign-in, and back to the run afterwards", () => {
  const expired = { ...side(false, "old.example"), state: "expired" } as const;
  const run = { id: "run", kind: "full", state: "waiting" } as const;
  const at = (sides: ImportView["sides"], waits = run as ImportView["run"]) =>
    nextScreen(view("migration_in_progress", { sides, run: waits }));
  expect(at({ source: expired, destination: side(true) })).toBe("connect");
  expect(at({ source: side(true), destination: expired })).toBe("destination");
  expect(at({ source: side(true), destination: side(true) })).toBe("move");
  expect(at({ source: expired, destination: side(true) }, { ...run, state: "running" })).toBe("move");
});

describe("the first screen after opening the link", () => {
  test.each([
    ["nothing is connected", side(false), side(false), "start"],
    ["the partner has connected the new tool", side(false), side(true), "start"],
    ["the old tool was connected once", side(false, "old.example"), side(true), "connect"],
    ["only the new tool is missing", side(true), side(false), "destination"],
  ])("%s", (_what, source, destination, screen) => {
    expect(nextScreen(view("collecting_credentials", { sides: { source, destination } }))).toBe(screen);
  });

  test.each([
    ["waiting_for_sample", "choose"],
    ["sample_in_progress", "sample"],
    ["sample_completed", "review"],
    ["in_preparation", "full"],
    ["migration_in_progress", "move"],
    ["migration_completed", "done"],
    ["undo_in_progress", "undo"],
    ["migration_cleaned", "undo"],
  ] as const)("%s: %s", (code, screen) => {
    expect(nextScreen(view(code))).toBe(screen);
  });

  test("a customer who has requested the full move waits there, not at the sample", () => {
    expect(nextScreen(view("sample_completed", { asked: true }))).toBe("full");
    expect(nextScreen(view("sample_completed", { paid: true }))).toBe("review");
  });

  test("an admin who was asked to connect one side sees only that screen, whatever the status", () => {
    for (const code of statusCodes) {
      const source = view(code, { may: { connect: "source" } });
      expect(nextScreen(source)).toBe("connect");
      expect([fits("connect", source), fits("destination", source), fits("done", source)]).toEqual([
        true,
        false,
        false,
      ]);
      expect(nextScreen(view(code, { may: { connect: "destination" } }))).toBe("destination");
    }
  });
});

describe("around a sample", () => {
  const run = (state: NonNullable<ImportView["run"]>["state"]) =>
    ({ id: "run", kind: "sample", state }) as const;

  test("a sample that ended early leads back to its start screen, which says why", () => {
    expect(nextScreen(view("waiting_for_sample", { run: run("failed") }))).toBe("sample");
    expect(nextScreen(view("waiting_for_sample", { run: run("stopped") }))).toBe("sample");
    expect(nextScreen(view("waiting_for_sample", { run: run("done") }))).toBe("choose");
  });

  test("a customer who watched the sample sees its result, even if the move is already paid", () => {
    const paid = { asked: true, paid: true };
    expect(screenFor("sample", view("in_preparation", paid))).toBe("review");
    expect(screenFor("sample", view("sample_completed", paid))).toBe("review");
    expect(screenFor(null, view("sample_completed", paid))).toBe("full");
    expect(screenFor("sample", view("undo_in_progress"))).toBe("undo");
  });

  test("the last sample stays reviewable before the next run", () => {
    expect(fits("review", view("waiting_for_sample", { run: run("done") }))).toBe(true);
    expect(fits("review", view("waiting_for_sample"))).toBe(false);
  });
});

test("every status leads to a screen that fits it, so redirects never loop", () => {
  for (const code of statusCodes)
    for (const asked of [false, true])
      for (const connected of [false, true]) {
        const sides = { source: side(connected), destination: side(connected) };
        const each = view(code, { asked, sides });
        // With both sides connected, an import has left this status.
        if (code === "collecting_credentials" && connected) continue;
        expect([code, fits(nextScreen(each), each)]).toEqual([code, true]);
      }
});
