import { createElement } from "react";
import { beforeAll, expect, test } from "vitest";
import { createI18n } from "../i18n/create-i18n.ts";
import { english } from "../i18n/languages.ts";
import { renderPage } from "../testing/render-page.ts";
import { Refused } from "./refused.tsx";

beforeAll(async () => {
  const i18n = await createI18n(english);
  await i18n.loadNamespaces(["running", "kinds", "reasons"]);
});

const shown = (refusals: Parameters<typeof Refused>[0]["run"]["refusals"]) =>
  renderPage(createElement(Refused, { run: { refusals } }));

test("a run that rests because of refusals says why, and what to do", () => {
  const page = shown({ stream: "tickets", label: "Tickets", code: "forbidden", count: 104 });
  expect(page).toContain("We paused: Acme Desk refuses one record after another");
  expect(page).toContain("104 tickets couldn&#x27;t be written: this sign-in lacks the permission.");
  expect(page).toContain("Correct the cause in Acme Desk, then go on.");
});

test("a run that a person paused shows nothing of it", () => {
  expect(shown(null)).toBe("");
});
