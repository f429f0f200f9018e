import type { WizardMapping } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { toConfirm } from "./to-confirm.ts";

const suggested = {
  matches: [
    ["1", "a"],
    ["2", "b"],
    ["3", "c"],
  ],
  likely: ["2", "3"],
} as const;
const mapping = (choices: WizardMapping["people"]["choices"]) =>
  ({ people: { choices, unmatched: "nobody", defaultId: null } }) as unknown as WizardMapping;
const person = (id: string) => ({ to: "person", id }) as const;

test("likely matches that were taken over are to be confirmed, others are not", () => {
  const all = mapping({ "1": person("a"), "2": person("b") });
  expect([...toConfirm(suggested, all, new Set())]).toEqual(["2"]);
  expect([...toConfirm(suggested, all, new Set(["people/2"]))]).toEqual([]);
  expect([...toConfirm(suggested, mapping({ "2": person("z"), "3": { to: "nobody" } }), new Set())]).toEqual(
    [],
  );
});
