import type { WizardRunProgress, WizardStreamProgress } from "@portage/contract/wizard";
import type { i18n as I18n } from "i18next";
import { createElement, type ReactNode } from "react";
import { beforeAll, describe, expect, test } from "vitest";
import { createI18n } from "../i18n/create-i18n.ts";
import { english } from "../i18n/languages.ts";
import { HowFar } from "../screens/connect/how-far.tsx";
import { useDocumentTitle } from "../screens/move/use-document-title.ts";
import { renderPage } from "../testing/render-page.ts";
import { ByKind } from "./by-kind.tsx";
import { RunHero } from "./run-hero.tsx";
import { useSpokenSoFar } from "./use-spoken-so-far.ts";

let i18n: I18n;
beforeAll(async () => {
  i18n = await createI18n(english);
  await i18n.loadNamespaces(["running", "connect", "move", "kinds"]);
});

const kind = (stream: string, done: number, given: Partial<WizardStreamProgress>): WizardStreamProgress => ({
  stream,
  label: stream,
  state: "ended",
  done,
  failed: 0,
  skipped: 0,
  total: done,
  corrected: 0,
  uncertain: false,
  ...given,
});

const tickets = kind("tickets", 70, {});
const comments = (state: "waiting" | "running" | "ended", done: number) =>
  kind("comments", done, { state, uncertain: state !== "ended" });

const runOf = (streams: readonly WizardStreamProgress[], given: Partial<WizardRunProgress> = {}) => {
  const done = streams.reduce((sum, each) => sum + each.done, 0);
  const total = streams.reduce((sum, each) => sum + each.total, 0);
  return {
    phase: "full",
    state: "running",
    waitingFor: null,
    refusals: null,
    step: "copy",
    done,
    failed: 0,
    skipped: 0,
    total,
    corrected: 0,
    perMinute: null,
    etaSeconds: null,
    startedAt: null,
    streams,
    ...given,
  } satisfies WizardRunProgress;
};

const started = { startedAt: "2026-01-02T03:04:05.000Z" };

const render = (element: ReactNode, run: WizardRunProgress | null = null) => {
  const html = renderPage(element, run);
  const bars = [...html.matchAll(/<div class="bar[^>]*>/g)].map(([bar]) => bar);
  return {
    html,
    bars,
    text: html
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .replaceAll("&#x27;", "'"),
  };
};

const hero = (run: WizardRunProgress) =>
  render(createElement(RunHero, { run, label: "Whole move", condition: null, stale: false }));

describe("while a kind of record is not counted", () => {
  const run = runOf([tickets, comments("waiting", 0)], started);

  test("the page shows neither a percentage nor a total, and says why it shows no time left", () => {
    const { text, html, bars } = hero(run);
    expect(text).toContain("70 so far");
    expect(text).toContain("70 records so far, started");
    expect(text).toContain("We don't know yet how many there are in all.");
    expect(text).toContain("We show the time left once we know how many there are");
    expect(html).not.toMatch(/%<|of 70|99/);
    expect(bars).toHaveLength(1);
    expect(bars[0]).toContain("unknown");
    expect(bars[0]).not.toContain("aria-valuenow");
    expect(bars[0]).toContain('aria-valuetext="70 records so far"');
  });

  test("each kind shows its own count", () => {
    const half = kind("people", 10, { state: "running", total: 20 });
    const streams = [tickets, half, comments("running", 12), comments("waiting", 0)];
    const { text, bars } = render(createElement(ByKind, { streams, live: true }));
    expect(text).toContain("All 70");
    expect(text).toContain("10 of 20");
    expect(text).toContain("12 so far");
    expect(text).not.toMatch(/12 of|0 of 0/);
    expect(bars.map((bar) => /aria-valuetext="([^"]*)"/.exec(bar)?.[1])).toEqual([
      "70 of 70",
      "10 of 20",
      "12 so far",
      "0 so far",
    ]);
  });

  test("the page of an expired sign-in claims no more than that", () => {
    const { text, html, bars } = render(createElement(HowFar), run);
    expect(text).toContain("70 records so far");
    expect(text).toContain("We don't know yet how many there are in all.");
    expect(html).not.toMatch(/\d+%<|of 70/);
    expect(bars[0]).not.toContain("aria-valuenow");
  });

  test("the window title claims no more than that", () => {
    const Title = ({ of }: { of: WizardRunProgress | null }) => useDocumentTitle(of);
    const title = (of: WizardRunProgress | null) => render(createElement(Title, { of })).text;
    expect(title(run)).toBe("70 records so far");
    expect(title({ ...run, state: "paused" })).toBe("Paused");
    expect(title(runOf([{ ...tickets, state: "running", total: 140 }]))).toBe("50% moved");
    expect([title(null), title(runOf([], { step: "prepare" }))]).toEqual(["Counting", "Counting"]);
  });

  test("screen readers get the same text", () => {
    const Spoken = ({ of }: { of: WizardRunProgress }) => useSpokenSoFar(of);
    const spoken = (of: WizardRunProgress) => render(createElement(Spoken, { of })).text;
    expect(spoken(run)).toBe("70 records so far. We don't know yet how many there are in all.");
    expect(spoken(runOf([comments("running", 1)]))).toMatch(/^1 record so far\. We don't know yet/);
    expect(spoken(runOf([], { step: "prepare" }))).toBe("Counting");
  });
});

test("shows the overall share once every kind is counted, but never 100%", () => {
  const run = runOf([tickets, kind("comments", 16, { state: "running", total: 102 })], started);
  const { text, bars } = hero(run);
  expect(text).toContain("50%");
  expect(text).toContain("86 of 172 records, started");
  expect(text).not.toContain("don't know");
  expect(bars[0]).toContain('aria-valuenow="50"');
  const all = runOf([tickets, comments("ended", 102)], { ...started, step: "verify", state: "waiting" });
  const expired = render(createElement(HowFar), all).text;
  expect(expired).toContain("99% moved");
  expect(expired).toContain("172 of 172 records");
});

test("aborted kinds are not shown as complete", () => {
  const given = [
    kind("comments", 12, { uncertain: true }),
    kind("people", 0, { uncertain: true }),
    kind("tickets", 40, { uncertain: true, total: 100 }),
  ];
  const { text } = render(createElement(ByKind, { streams: given, live: false }));
  expect(text).toMatch(/12 so far.*0 so far.*40 of 100/);
  expect(text).not.toMatch(/All|None/);
});
