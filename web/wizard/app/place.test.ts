import { expect, test } from "vitest";
import { pathOf, placeOf } from "./place.ts";

test.each([
  ["/imports/imp_1", { kind: "import", importId: "imp_1" }],
  ["/imports/imp_1/", { kind: "import", importId: "imp_1" }],
  ["/imports/imp_1/choose", { kind: "screen", importId: "imp_1", screen: "choose" }],
  ["/imports/imp_1/nothing", { kind: "nowhere" }],
  ["/imports/imp_1/choose/more", { kind: "nowhere" }],
  ["/", { kind: "nowhere" }],
  [pathOf("imp_2", "undo"), { kind: "screen", importId: "imp_2", screen: "undo" }],
])("%s", (path, place) => {
  expect(placeOf(path)).toEqual(place);
});
