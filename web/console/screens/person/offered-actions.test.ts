import { expect, test } from "vitest";
import { personActions } from "./offered-actions.ts";

test.each([
  ["an operator", { role: "operator", disabled_at: null }, false, ["invite", "role", "disable"]],
  ["a disabled one", { role: "operator", disabled_at: "2026-11-15T08:00:00Z" }, false, ["role", "enable"]],
  ["a partner's person", { role: "partner", disabled_at: null }, false, ["invite", "disable"]],
  ["oneself", { role: "admin", disabled_at: null }, true, ["invite"]],
] as const)("%s", (_, person, isSelf, offered) => {
  expect(personActions(person, isSelf)).toEqual(offered);
});
