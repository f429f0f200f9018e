import { expect, test } from "vitest";
import { mayReplay, replayOutcome } from "./replay.ts";

test("what is under way is not replayed", () => {
  const states = ["waiting", "sending", "held", "delivered", "failed"] as const;
  expect(states.filter((state) => mayReplay({ state }))).toEqual(["waiting", "delivered", "failed"]);
});

test("a replay that queued nothing says so", () => {
  expect(replayOutcome({ event_id: "evt_1", state: "replayed" })).toBe("done");
  expect(replayOutcome({ event_id: "evt_1", state: "under_way" })).toBe("underWay");
});
