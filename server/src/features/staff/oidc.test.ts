import { expect, test } from "vitest";
import { roleOf } from "./oidc.ts";

const roles = new Map([
  ["portage-admins", "admin"],
  ["portage-ops", "operator"],
  ["everyone", "viewer"],
] as const);

test.each([
  ["portage-ops", "operator"],
  [["everyone", "portage-admins", "portage-ops"], "admin"],
  [["portage-ops", "everyone"], "operator"],
  [["elsewhere"], null],
  [[], null],
  [undefined, null],
  [null, null],
  ["admin", null],
  [[{ name: "portage-admins" }, 5], null],
  [{ "portage-admins": true }, null],
])("%j gives %s", (claim, role) => {
  expect(roleOf(claim, roles)).toBe(role);
});
