import { languageCodes } from "@portage/contract/languages";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Occasion } from "../mail-outbox/index.ts";
import { maskAddress } from "./address.ts";
import { cleanText, displayName } from "./clean-text.ts";
import { composeMail, type MailToCompose } from "./compose.ts";

const occasions: readonly Occasion[] = ["sample_ready", "done", "undone", "needs_you"];

const needs = [
  "source_sign_in",
  "destination_sign_in",
  "preflight",
  "run_failed",
  "run_stopped",
  "undo",
  "refusals",
  "sponsorship_accepted",
  "sponsorship_rejected",
  "bought",
];

const wanted = (more: Partial<MailToCompose> = {}): MailToCompose => ({
  occasion: "done",
  language: "en",
  link: "https://portage.example/l",
  stopLink: "https://portage.example/s",
  facts: {
    partner: "Acme",
    source: "Old Desk",
    destination: "New Desk",
    about: "",
    figures: { written: 12_345, matched: 3, skipped: 2, failed: 0, addsUp: true },
  },
  colors: { brand: "#0b6580", onBrand: "#ffffff" },
  ...more,
});

const hostile = `"><script>alert(1)</script><img src=https://evil.example/x.png>\r\nBcc: all@example.com\u202e\u0000`;

describe("a mail", () => {
  test("has the figures, its link and the stop link in both parts", () => {
    const { subject, text, html } = composeMail(wanted());
    expect(subject).toBe("Your move from Old Desk to New Desk is done");
    for (const part of [text, html])
      for (const expected of [
        "12,345",
        "Already there",
        "https://portage.example/l",
        "https://portage.example/s",
      ])
        expect(part).toContain(expected);
  });

  test("claims that every record is accounted for only if that is true", () => {
    const { facts } = wanted();
    const figures = { written: 1, matched: 0, skipped: 0, failed: 0, addsUp: false };
    expect(composeMail(wanted({ facts: { ...facts, figures } })).text).toContain("not every record");
    expect(composeMail(wanted({ facts: { ...facts, figures: null } })).text).not.toContain("accounted");
    expect(composeMail(wanted()).text).toContain("is accounted for");
  });

  test("is as reserved as the page about a move of which records failed", () => {
    const { facts } = wanted();
    const of = (figures: Partial<typeof facts.figures>, language = "en") =>
      composeMail(
        wanted({
          language,
          facts: { ...facts, figures: { ...wanted().facts.figures, ...figures } as never },
        }),
      );
    const partly = of({ written: 199, failed: 1_500 });
    for (const part of [partly.subject, partly.text, partly.html]) {
      expect(part).toMatch(/some records were not copied/);
      expect(part).not.toMatch(/is done|accounted for/);
    }
    expect(of({ written: 0, matched: 1, failed: 1 }).subject).toBe(partly.subject);
    const none = of({ written: 0, matched: 0, failed: 9 });
    expect(none.subject).toBe("Nothing has moved from Old Desk to New Desk yet");
    expect(none.text).not.toMatch(/is done|accounted for|is in New Desk/);
    // Both at once: the sums do not match either.
    expect(of({ failed: 1, addsUp: false }).text).toMatch(/not copied.*not every record is accounted for/s);
    // Nothing to move is no failure.
    expect(of({ written: 0, matched: 0 }).subject).toMatch("is done");
    for (const language of languageCodes) {
      const subjects = [
        of({}, language),
        of({ failed: 1 }, language),
        of({ written: 0, matched: 0, failed: 1 }, language),
      ];
      expect(new Set(subjects.map(({ subject }) => subject)).size).toBe(3);
      for (const each of subjects) expect(each.subject + each.text + each.html).not.toMatch(/undefined|\{\{/);
    }
  });

  test.each(needs)("has its own text for each need: %s", (about) => {
    const of = (each: string) =>
      composeMail(
        wanted({ occasion: "needs_you", facts: { ...wanted().facts, figures: null, about: each } }),
      );
    for (const other of needs) expect(of(other).text === of(about).text).toBe(other === about);
  });

  test.each(occasions)("with hostile names stays text: %s", (occasion) => {
    const facts = { ...wanted().facts, partner: hostile, source: hostile, destination: hostile };
    const { subject, text, html } = composeMail(wanted({ occasion, facts }));
    expect(subject).not.toMatch(/[\r\n\0\u202e]/);
    expect(text).not.toMatch(/^Bcc:/m);
    expect(html).not.toMatch(/<script|<img|\ssrc=(?!https:\/\/evil)|url\(/i);
    expect(html).not.toContain("\u202e");
    // No URL that a mail program would load by itself, and none that is not ours.
    for (const [, href] of html.matchAll(/(?:href|src|action)="([^"]*)"/g))
      expect(href).toMatch(/^https:\/\/portage\.example\//);
  });

  test("in an unsupported language is English, and declares it", () => {
    expect(composeMail(wanted({ language: "xx-XX" }))).toEqual(composeMail(wanted()));
    expect(composeMail(wanted({ language: "xx-XX" })).html).toContain('lang="en"');
  });

  test.each(languageCodes)("has the texts, numbers and tag of its language: %s", (language) => {
    const { html, text, subject } = composeMail(wanted({ language }));
    expect(html).toContain(`<html lang="${language}">`);
    expect(text).toContain(new Intl.NumberFormat(language).format(12_345));
    expect(subject).toMatch(/Old Desk.*New Desk/);
    for (const occasion of occasions)
      for (const about of needs) {
        const mail = composeMail(wanted({ language, occasion, facts: { ...wanted().facts, about } }));
        expect(mail.subject + mail.text + mail.html).not.toMatch(/undefined|\{\{/);
        if (language !== "en")
          expect(mail.subject).not.toBe(
            composeMail({ ...wanted({ occasion, facts: { ...wanted().facts, about } }) }).subject,
          );
      }
  });

  test("a name that looks like a placeholder stays as it is", () => {
    const facts = { ...wanted().facts, source: "{{destination}}" };
    expect(composeMail(wanted({ facts })).subject).toBe("Your move from {{destination}} to New Desk is done");
  });
});

test("any text becomes a header name of one line, without an address, and not too long", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 100 }),
      (text) =>
        !/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u.test(cleanText(text)) &&
        [...cleanText(text)].length <= 80 &&
        /^[^<>@"\\\r\n]+$/.test(displayName(text)),
    ),
  );
  expect(displayName("support@bank.example <a@b>")).toBe("support bank.example a b");
  expect(displayName("\r\n")).toBe("Portage");
});

test("a masked address shows its first letter and its domain", () => {
  expect(maskAddress("alice.doe@example.com")).toBe("a…@example.com");
  expect(maskAddress("a@example.com")).toBe("a…@example.com");
});
