import { describe, expect, test } from "vitest";
import { type AccountState, declareLimits, freshState } from "../state/account-state.ts";
import { concludeRefusal, raiseLimits } from "./learn-limits.ts";
import { freeAt, mergedPause, noteRefusals } from "./refusals.ts";
import { addUse, bucketOf } from "../state/usage.ts";

const startMs = 1_700_000_000_000;
const at = (second: number) => startMs + second * 1_000;

/** Requests at a steady pace, in seconds from the start. */
const use = (state: AccountState, fromS: number, toS: number, count: number) => {
  const all = Array.from({ length: count }, (_, index) => [
    bucketOf(at(fromS + ((toS - fromS) * index) / count)),
    1,
  ]) as [number, number][];
  state.usage = addUse(state.usage, all, at(toS), 7_200_000);
};

const learned = (state: AccountState) =>
  Object.values(state.limits).map(({ requests, perMs }) => [Math.round(requests), perMs]);

/** Refusals of requests that started between two times; the quota is free again at a third. */
const refuse = (state: AccountState, firstS: number, lastS: number, freeS: number) => {
  const times = Array.from({ length: 20 }, (_, index) => firstS + ((lastS - firstS) * index) / 19);
  for (const second of times) {
    const retryAfterMs = Math.ceil(freeS - second) * 1_000;
    noteRefusals(
      state,
      {
        firstMs: at(second),
        lastMs: at(second),
        freeMs: freeAt(at(second), retryAfterMs),
        until: at(second) + 50 + retryAfterMs,
      },
      at(second) + 50,
    );
  }
};

const conclude = (state: AccountState, nowS: number) => {
  if (state.refused) concludeRefusal(state, Object.values(state.limits), state.refused, at(nowS));
  return learned(state);
};

describe("the quota behind a refusal", () => {
  test("of a burst after a rest is all that the tool accepted, and its window the next usual one", () => {
    const state = freshState();
    use(state, 0, 0.5, 700);
    refuse(state, 0.5, 0.6, 60);
    expect(conclude(state, 61)).toEqual([[700, 60_000]]);
  });

  test("counts the first requests, though they took long to arrive", () => {
    const state = freshState();
    use(state, 0, 22, 700);
    // The oldest arrived 0.8 s after its start.
    refuse(state, 22, 24, 60.8);
    expect(conclude(state, 61)).toEqual([[700, 60_000]]);
  });

  test("of a fixed window leaves out what belonged to the previous window", () => {
    const state = freshState();
    use(state, 0, 10, 320);
    use(state, 10, 32, 700);
    refuse(state, 32, 34, 70);
    const [[requests, perMs]] = conclude(state, 71) as [[number, number]];
    expect(perMs).toBe(60_000);
    expect(requests).toBeGreaterThan(690);
    expect(requests).toBeLessThan(712);
  });

  test("is not of ten seconds if earlier ten seconds held more", () => {
    const state = freshState();
    use(state, 0, 22, 700);
    refuse(state, 22, 23, 27);
    expect(conclude(state, 28)).toEqual([[700, 60_000]]);
  });

  test("counts delayed requests that the tool accepted after a refusal", () => {
    const state = freshState();
    use(state, 0, 1, 400);
    refuse(state, 1, 1.2, 60);
    use(state, 2, 3, 300);
    expect(conclude(state, 61)).toEqual([[700, 60_000]]);
  });

  test("is unknown when another user of the account has used it up", () => {
    const state = freshState();
    use(state, 0, 0.1, 2);
    refuse(state, 0.1, 0.2, 50);
    expect(conclude(state, 51)).toEqual([]);
  });

  test("with a longer window than any known limit is another limit", () => {
    const state = freshState();
    declareLimits(state, [{ requests: 700, perMs: 60_000 }], startMs);
    use(state, 0, 300, 3_000);
    refuse(state, 300, 301, 2_500);
    expect(conclude(state, 2_501)).toEqual([
      [700, 60_000],
      [3_000, 3_600_000],
    ]);
  });
});

describe("a known limit that is refused", () => {
  const declared = (requests: number) => {
    const state = freshState();
    declareLimits(state, [{ requests, perMs: 60_000 }], startMs);
    return state;
  };

  test("becomes what the tool accepted", () => {
    const state = declared(1_000);
    use(state, 0, 42, 700);
    refuse(state, 42, 42.5, 60);
    expect(conclude(state, 61)).toEqual([[700, 60_000]]);
  });

  test("is cut by half at most: one refusal may have another cause", () => {
    const state = declared(1_000);
    use(state, 0, 10, 100);
    refuse(state, 10, 10.5, 60);
    expect(conclude(state, 61)).toEqual([[500, 60_000]]);
  });

  test("is cut a little, however full the window was", () => {
    const state = declared(700);
    use(state, 0, 60, 710);
    refuse(state, 60, 60.1, 60.5);
    expect(conclude(state, 61)).toEqual([[697, 60_000]]);
  });
});

describe("trying for more", () => {
  const busy = () => {
    const state = freshState();
    declareLimits(state, [{ requests: 100, perMs: 10_000 }], startMs);
    return state;
  };
  /** Uses all that the believed limit allows, and looks every second. */
  const go = (state: AccountState, fromS: number, toS: number, share = 0.99) => {
    for (let second = fromS; second < toS; second += 1) {
      const [limit] = Object.values(state.limits);
      use(state, second, second + 1, Math.round(((limit?.requests ?? 0) / 10) * share));
      raiseLimits(state, Object.values(state.limits), at(second + 1));
    }
    return learned(state)[0]?.[0] as number;
  };

  test("begins late, in small steps that grow as they succeed", () => {
    const state = busy();
    expect(go(state, 0, 99)).toBe(100);
    const first = go(state, 99, 103);
    expect(first).toBe(102);
    expect(go(state, 103, 200)).toBeGreaterThan(130);
  });

  test("begins as late where a refusal with a retry-after taught the limit", () => {
    const state = freshState();
    use(state, 0, 1, 100);
    refuse(state, 1, 1.1, 10);
    expect(conclude(state, 11)).toEqual([[100, 10_000]]);
    state.refused = null;
    expect(go(state, 11, 110)).toBe(100);
    expect(go(state, 110, 114)).toBe(102);
  });

  test("does not happen while the allowed quota is not used up", () => {
    expect(go(busy(), 0, 200, 0.5)).toBe(100);
  });

  test("takes back a refused raise, and waits longer before each further attempt", () => {
    const state = busy();
    go(state, 0, 102);
    refuse(state, 102, 102.1, 103);
    conclude(state, 104);
    expect(learned(state)[0]?.[0]).toBe(100);
    state.refused = null;
    expect(go(state, 104, 130)).toBe(100);
    const again = go(state, 130, 145);
    expect(again).toBe(102);
    refuse(state, 145, 145.1, 146);
    conclude(state, 147);
    state.refused = null;
    expect(go(state, 147, 220)).toBe(100);
  });
});

describe("pauses", () => {
  test("with the same end, each rounded up, end with the earliest; a clearly later end counts", () => {
    expect(mergedPause(0, 5_000, 1_000)).toBe(5_000);
    expect(mergedPause(5_000, 4_200, 1_000)).toBe(4_200);
    expect(mergedPause(4_200, 5_000, 1_000)).toBe(4_200);
    expect(mergedPause(4_200, 30_000, 1_000)).toBe(30_000);
    expect(mergedPause(900, 500, 1_000)).toBe(1_000);
  });

  test("requests in flight when conclusions were drawn are no news", () => {
    const state = freshState();
    state.settledMs = at(10);
    noteRefusals(state, { firstMs: at(9), lastMs: at(9.5), freeMs: at(10), until: at(11) }, at(10.5));
    expect(state.refused).toBeNull();
    expect(state.pausedUntil).toBe(0);
    noteRefusals(state, { firstMs: at(9), lastMs: at(9.5), freeMs: at(60), until: at(60) }, at(10.5));
    expect(state.pausedUntil).toBe(at(60));
  });

  test("without a stated length double each time", () => {
    const state = freshState();
    const waits = [0, 100, 200, 300].map((second) => {
      const news = { firstMs: at(second), lastMs: at(second), freeMs: null, until: null };
      noteRefusals(state, news, at(second));
      state.refused = null;
      state.settledMs = at(second);
      return state.pausedUntil - at(second);
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });
});
