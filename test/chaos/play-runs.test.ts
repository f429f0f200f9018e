import { expect, test } from "vitest";
import { addUp, resultIn, type RunResult } from "./play-runs.ts";

const run = (change: Partial<RunResult> = {}): RunResult => ({
  holds: true,
  seed: "a",
  seconds: 1_800,
  records: 50_000,
  kills: 2,
  restarts: 1,
  faults: 60,
  by_kind: { "500s": 1, resets: 2 },
  source_changes: 10,
  tool_faults: { error: 3 },
  lost: 0,
  doubled: 0,
  ...change,
});

test("adds up every figure, and names each run by its seed", () => {
  const more = run({ seed: "b", lost: 1, doubled: 2, by_kind: { resets: 3, "429s": 4 } });
  expect(addUp([run(), more])).toEqual({
    runs: [
      { seed: "a", seconds: 1_800, records: 50_000, faults: 60 },
      { seed: "b", seconds: 1_800, records: 50_000, faults: 60 },
    ],
    records: 100_000,
    faults: 120,
    kills: 4,
    restarts: 2,
    by_kind: { "500s": 1, resets: 5, "429s": 4 },
    source_changes: 20,
    tool_faults: { error: 6 },
    lost: 1,
    doubled: 2,
    records_per_hour: 100_000,
    faults_per_hour: 120,
  });
});

test("a run that ended without its result is none", () => {
  expect(resultIn(JSON.stringify({ ...run(), proof: "chaos" }))).toEqual(run());
  expect(resultIn('{"proof":"chaos","holds":false,"broken":["the proof ran to its end"]}')).toBeNull();
  expect(resultIn("Error: it broke")).toBeNull();
});
