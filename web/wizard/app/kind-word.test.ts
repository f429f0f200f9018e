import { expect, test } from "vitest";
import { kindWord } from "./kind-word.ts";

test("one is one", () => {
  expect([kindWord("Tickets", 2), kindWord("Tickets", 1)]).toEqual(["tickets", "ticket"]);
  expect([kindWord("Companies", 1), kindWord("Access", 1)]).toEqual(["company", "access"]);
});
