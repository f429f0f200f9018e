import type { WizardRunProgress } from "@portage/contract/wizard";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import { LocaleProvider, type UiStrings } from "../../ui/locale.tsx";
import type { Liveness } from "../api/create-live.ts";
import { createI18n } from "../i18n/create-i18n.ts";
import { english } from "../i18n/languages.ts";
import { NotLive } from "./not-live.tsx";

beforeAll(() => createI18n(english));

const shown = (liveness: Liveness, run: Pick<WizardRunProgress, "phase" | "state"> | null) =>
  renderToStaticMarkup(
    LocaleProvider({
      speech: { words: {} as UiStrings, locale: "en" },
      children: createElement(NotLive, { liveness, run: run as WizardRunProgress | null }),
    }),
  ).replaceAll(/<[^>]*>/g, "");

const stale = { kind: "stale", since: new Date("2026-01-02T15:12:00Z") } as const;

test("says that a run goes on, by name, only if it was running at the last update", () => {
  const said = (phase: WizardRunProgress["phase"]) => shown(stale, { phase, state: "running" });
  for (const phase of ["full", "delta", "retry_failed"] as const)
    expect(said(phase)).toMatch(/^This page lost its connection at .+\. Your move keeps running\.$/);
  expect(said("sample")).toMatch(/^This page lost its connection at .+\. Your sample keeps running\.$/);
  expect(said("undo")).toMatch(/^This page lost its connection at .+\. The undo keeps running\.$/);
});

test("does not say that a run goes on when none is running", () => {
  const quiet = [null, ...(["paused", "waiting", "stopping"] as const)].map((state) =>
    shown(stale, state && { phase: "full", state }),
  );
  for (const text of quiet)
    expect(text).toMatch(
      /^This page lost its connection at .+\. It catches up by itself when the connection is back\.$/,
    );
});

test("says nothing while the page is up to date", () => {
  expect(shown({ kind: "live" }, { phase: "full", state: "running" })).toBe("");
});
