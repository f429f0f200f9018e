import { describe, expect, test } from "vitest";
import { createBreaker } from "./breaker.ts";
import { type Circuit, createFailureTally, nextCircuit } from "./circuit.ts";

const half = () => 0.5;
const open: Circuit = { openUntil: 5_000, waitMs: 5_000, probe: null };

describe("a circuit", () => {
  test("opens, and stays open longer after each failed probe", () => {
    let circuit: Circuit | null = null;
    const waits: number[] = [];
    let at = 0;
    for (let turn = 0; turn < 7; turn += 1) {
      circuit = nextCircuit(circuit, "broken", "a", at, half) as Circuit;
      waits.push(circuit.openUntil - at);
      at = circuit.openUntil;
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
  });

  test("failures of requests already in flight do not prolong it", () => {
    expect(nextCircuit(open, "broken", "b", 4_000, half)).toEqual(open);
  });

  test("lets one process probe, and only after `openUntil`", () => {
    expect(nextCircuit(open, "would_probe", "a", 4_999, half)).toEqual(open);
    const tried = nextCircuit(open, "would_probe", "a", 5_000, half);
    expect(tried?.probe?.by).toBe("a");
    expect(nextCircuit(tried, "would_probe", "b", 6_000, half)?.probe?.by).toBe("a");
  });

  test("a lost probe does not keep other processes from probing", () => {
    const tried = nextCircuit(open, "would_probe", "a", 5_000, half);
    expect(nextCircuit(tried, "would_probe", "b", 75_000, half)?.probe?.by).toBe("b");
    const given = nextCircuit(tried, "probe_lost", "a", 6_000, half);
    expect(nextCircuit(given, "would_probe", "b", 6_000, half)?.probe?.by).toBe("b");
  });

  test("an answer closes it", () => {
    expect(nextCircuit(open, "mended", "a", 1_000, half)).toBeNull();
  });
});

describe("failures", () => {
  const noteAll = (failures: readonly (number | string)[], stepMs: number) => {
    const tally = createFailureTally();
    return failures.map((failure, index) =>
      typeof failure === "number"
        ? tally.note(failure, undefined, index * stepMs)
        : tally.note(null, failure, index * stepMs),
    );
  };

  test.each([
    ["unreachable five times", Array(5).fill("unreachable"), 300, "broken"],
    ["503 five times", Array(5).fill(503), 300, "broken"],
    ["500 five times may be one record's fault", Array(5).fill(500), 300, "failed"],
    ["500 twenty times", Array(20).fill(500), 300, "broken"],
    ["many at once are one blink", Array(60).fill("unreachable"), 1, "failed"],
    ["aborted by ourselves", Array(60).fill("aborted"), 300, null],
    ["refusals show that the tool is alive", Array(60).fill(429), 300, "alive"],
  ] as const)("%s", (_, failures, stepMs, last) => {
    expect(noteAll(failures as readonly (number | string)[], stepMs).at(-1)).toBe(last);
  });

  test("an answer in between resets the count", () => {
    const four = Array(4).fill(503) as number[];
    expect(noteAll([...four, 404, ...four], 1_000)).not.toContain("broken");
  });
});

describe("in one process", () => {
  const breakerAt = (circuit: Circuit) => {
    const urges: number[] = [];
    const breaker = createBreaker("me", () => urges.push(1));
    breaker.set(circuit);
    return { breaker, urges };
  };
  const mine: Circuit = { ...open, probe: { by: "me", until: 60_000 } };

  test("no request starts while the circuit is open; every caller learns how long to wait", () => {
    const { breaker } = breakerAt(open);
    expect(breaker.mayStart(4_000)).toBe(false);
    expect(breaker.awayMs(4_000, true)).toBe(1_000);
    expect(breaker.takeNews()).toBeNull();
  });

  test("after `openUntil` one caller waits to probe, all others are turned away", () => {
    const { breaker } = breakerAt(open);
    expect(breaker.awayMs(5_000, true)).toBe(0);
    expect(breaker.awayMs(5_000, false)).toBeGreaterThan(0);
    expect(breaker.mayStart(5_000)).toBe(false);
    expect(breaker.takeNews()).toBe("would_probe");
    breaker.set(mine);
    expect(breaker.mayStart(5_001)).toBe(true);
    expect(breaker.started()).toBe(true);
    expect(breaker.mayStart(5_002)).toBe(false);
  });

  test.each([
    ["an answer", "mended"],
    ["a failure", "broken"],
    ["neither", "probe_lost"],
  ])("a probe that ends with %s", (how, news) => {
    const { breaker, urges } = breakerAt(mine);
    breaker.started();
    if (how === "an answer") breaker.alive();
    if (how === "a failure") breaker.failed(5_100);
    breaker.probeReleased();
    expect(breaker.takeNews()).toBe(news);
    expect(urges).toHaveLength(1);
    expect(breaker.isClosed()).toBe(news === "mended");
  });

  test("a read of an older row does not undo this process's own news", () => {
    const { breaker } = breakerAt(mine);
    breaker.started();
    breaker.alive();
    breaker.set(mine);
    expect(breaker.isClosed()).toBe(true);
  });
});
