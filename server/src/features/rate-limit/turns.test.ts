import { describe, expect, it } from "vitest";
import { createTurns } from "./turns.ts";

const recording = (answer: (partnerIds: readonly string[]) => Promise<ReadonlyMap<string, number>>) => {
  const statements: (readonly string[])[] = [];
  const takeTurn = createTurns((partnerIds) => {
    statements.push(partnerIds);
    return answer(partnerIds);
  });
  return { statements, takeTurn };
};

const accepting = async (partnerIds: readonly string[]) => new Map(partnerIds.map((id) => [id, 3]));

describe("turns", () => {
  it("takes the turns of all waiting requests in one sorted statement", async () => {
    const { statements, takeTurn } = recording(accepting);
    const turns = await Promise.all(["c", "a", "b"].map(takeTurn));
    expect(statements).toEqual([["a", "b", "c"]]);
    expect(turns).toEqual(turns.map(() => ({ accepted: true, remaining: 7 })));
  });

  it("gives a partner one turn per statement and does not block others", async () => {
    const { statements, takeTurn } = recording(accepting);
    await Promise.all(["a", "a", "b", "a"].map(takeTurn));
    expect(statements).toEqual([["a", "b"], ["a"], ["a"]]);
  });

  it("refuses a partner that the answer omits", async () => {
    const { takeTurn } = recording(async () => new Map([["a", 1]]));
    expect(await Promise.all([takeTurn("a"), takeTurn("b")])).toEqual([
      { accepted: true, remaining: 9 },
      { accepted: false, remaining: 0 },
    ]);
  });

  it("splits more partners than fit over several statements and drops none", async () => {
    const { statements, takeTurn } = recording(accepting);
    await Promise.all(Array.from({ length: 450 }, (_, index) => takeTurn(`p${index}`)));
    expect(statements.map(({ length }) => length)).toEqual([200, 200, 50]);
  });

  it("fails all waiting requests when a statement fails, and recovers with the next", async () => {
    let isDown = true;
    const { statements, takeTurn } = recording(async (partnerIds) => {
      if (isDown) throw new Error("down");
      return accepting(partnerIds);
    });
    const outcomes = await Promise.allSettled(["a", "a", "b"].map(takeTurn));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(statements).toEqual([["a", "b"]]);
    isDown = false;
    expect(await takeTurn("a")).toEqual({ accepted: true, remaining: 7 });
  });
});
