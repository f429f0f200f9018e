import { expect, test } from "vitest";
import { matchScreen } from "./screens.ts";

test.each([
  ["/", { name: "overview", id: "" }],
  ["/imports", { name: "imports", id: "" }],
  ["/imports/imp_01", { name: "import", id: "imp_01" }],
  ["/partners/prt_01", { name: "partner", id: "prt_01" }],
  ["/imports/imp_01/records", { name: "records", id: "imp_01" }],
  ["/tools/request-tracker", { name: "tool", id: "request-tracker" }],
  ["/people", { name: "people", id: "" }],
  ["/people/stf_01", { name: "person", id: "stf_01" }],
  ["/data", { name: "data", id: "" }],
  ["/workers/x", null],
  ["/imports/imp_01/x", null],
  ["/imports/..%2fx", null],
  ["/constructor", null],
])("%s", (path, found) => {
  expect(matchScreen(path)).toEqual(found);
});
