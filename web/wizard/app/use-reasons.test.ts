import type { WizardPreflightFinding } from "@portage/contract/wizard";
import { createElement } from "react";
import { beforeAll, expect, test } from "vitest";
import { createI18n } from "../i18n/create-i18n.ts";
import { english } from "../i18n/languages.ts";
import reasonsJson from "../i18n/en/reasons.json" with { type: "json" };
import { useFindingWords } from "../screens/full/use-finding-words.ts";
import { renderPage } from "../testing/render-page.ts";
import { useReasons } from "./use-reasons.ts";

beforeAll(async () => {
  const i18n = await createI18n(english);
  await i18n.loadNamespaces(["kinds", "reasons", "preflight"]);
});

/** Calls a hook inside of a rendered page and returns its text. */
const said = <T>(useIt: () => T, ask: (it: T) => string): string => {
  let text = "";
  renderPage(
    createElement(() => {
      text = ask(useIt());
      return null;
    }),
  );
  return text;
};

const reason = (ask: (reasons: ReturnType<typeof useReasons>) => string) => said(useReasons, ask);
const tickets = (count: number) => ({ label: "Tickets", count });

test("a reason names number and kind of records, in singular or plural, and the tools", () => {
  expect(reason(({ ofMany }) => ofMany("kept", "edited_since", tickets(12_430)))).toBe(
    "12,430 tickets stayed untouched because they were edited in Acme Desk.",
  );
  expect(reason(({ ofMany }) => ofMany("kept", "edited_since", tickets(1)))).toBe(
    "1 ticket stayed untouched because it was edited in Acme Desk.",
  );
  expect(reason(({ ofOne }) => ofOne("skipped", "source_deleted"))).toBe(
    "This record no longer existed in Old Desk when its turn came.",
  );
});

test.each(["own_code", "constructor", "a.b", "reasons:record", "__proto__", "{{source}} $t(record)"])(
  "shows an unknown code of a connector as it is: %s",
  (code) => {
    expect(reason(({ ofMany }) => ofMany("failed", code, tickets(2)))).toBe(
      `2 tickets couldn't be copied (${code}).`,
    );
  },
);

test("a kind without a catalogue entry keeps the server's name", () => {
  expect(reason(({ ofMany }) => ofMany("failed", "rejected", { label: "Gadgets", count: 3 }))).toBe(
    "3 gadgets couldn't be written: Acme Desk refused them.",
  );
});

test("every reason is a complete sentence without open placeholders", () => {
  for (const key of Object.keys(reasonsJson.by)) {
    const code = key.replace(/_(one|other)$/, "");
    for (const count of [1, 2])
      expect(reason(({ ofMany }) => ofMany("failed", code, tickets(count)))).toMatch(
        /^\d tickets? [^{}]+\.$/,
      );
  }
});

const finding = (given: Partial<WizardPreflightFinding>): string =>
  said(useFindingWords, (wordsOf) => {
    const { message, fix } = wordsOf({
      code: "not_checked",
      level: "warns",
      side: null,
      stream: null,
      label: null,
      count: 1,
      ...given,
    });
    return [message, ...(fix === undefined ? [] : [fix])].join(" ");
  });

test("preflight findings name the tools, the kinds and the numbers", () => {
  const about = { stream: "tickets", label: "Tickets" };
  expect(
    finding({ ...about, code: "no_room", side: "destination", variant: "up_to", count: 3, room: 2_000 }),
  ).toBe(
    "The plan of Acme Desk has too little room for tickets: room for 2,000 more, and up to 2,003 to copy. " +
      "Change the plan of Acme Desk, make room there, or leave something out.",
  );
  expect(finding({ code: "takes_long", count: 30 })).toContain("at least 30 hours,");
  expect(finding({ code: "takes_long", count: 72 })).toContain("at least 3 days,");
  expect(finding({ code: "not_checked", names: ["counts", "plan"], count: 2 })).toBe(
    "We couldn't check this in time: how much there is and the plan of Acme Desk.",
  );
  expect(finding({ code: "people_unmatched", variant: "stand_in", count: 1 })).toContain(
    "One person isn't in Acme Desk: your default person stands in for them.",
  );
  expect(finding({ ...about, code: "left_behind", side: "destination", variant: "uncounted" })).toBe(
    "Acme Desk has no place for tickets: they stay in Old Desk.",
  );
  expect(finding({ code: "unreachable" })).toContain("One of the two tools couldn't be reached.");
});
