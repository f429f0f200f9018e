import { expect, test } from "vitest";
import { isFolded } from "./form-values.ts";

test("settings with a default are folded, except those on which depends what comes out", () => {
  const setting = { title: "Notifications" };
  expect(isFolded({ name: "token", setting, required: true })).toBe(false);
  expect(isFolded({ name: "project", setting, required: false })).toBe(true);
  expect(isFolded({ name: "notifications", setting: { ...setting, important: true }, required: false })).toBe(
    false,
  );
});
