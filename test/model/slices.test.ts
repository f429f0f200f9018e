import { describe, test } from "vitest";
import { expectCaught, expectSound } from "./expect-model.ts";
import { type SlicesGuards, slicesGuards, slicesModel } from "./slices-model.ts";

const leftOut: Record<keyof SlicesGuards, string> = {
  slicedByFixedKey: "a record is there twice",
  sweptAfterwards: "a record is there twice",
};

test("no two partitions meet the same record", () => {
  expectSound(slicesModel(slicesGuards), 10);
});

describe("slices with a guard left out are caught", () => {
  test.each(Object.entries(leftOut))("%s", (guard, leadsTo) => {
    expectCaught(slicesModel({ ...slicesGuards, [guard]: false }), leadsTo);
  });
});
