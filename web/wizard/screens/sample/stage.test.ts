import { expect, test } from "vitest";
import { stageOf } from "./stage.ts";

test("a sample is looked for, picked, copied and compared, in this order", () => {
  expect(stageOf("prepare", null)).toBe("look");
  // Of an earlier sample.
  expect(stageOf("prepare", { stage: "gathering" })).toBe("look");
  expect(stageOf("choose", null)).toBe("look");
  expect(stageOf("choose", { stage: "looking" })).toBe("look");
  expect(stageOf("choose", { stage: "gathering" })).toBe("pick");
  expect(stageOf("copy", null)).toBe("copy");
  // What an earlier sample copied and this one does not have.
  expect(stageOf("remove", null)).toBe("copy");
  expect(stageOf("link", null)).toBe("copy");
  expect(stageOf("verify", null)).toBe("compare");
});
