import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { type SlicesGuards, slicesGuards, slicesModel } from "./slices-model.ts";

const leftOut: Record<keyof SlicesGuards, string> = {
  slicedByFixedKey: "a record is duplicated",
  sweptAfterwards: "a record is duplicated",
};

test("no two partitions copy the same record", () => {
  expectSound(slicesModel(slicesGuards), 10);
});

describe("the check catches slices with a disabled guard", () => {
  test.each(Object.entries(leftOut))("%s", (guard, leadsTo) => {
    expectCaught(slicesModel({ ...slicesGuards, [guard]: false }), leadsTo);
  });
});
