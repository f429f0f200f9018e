import type { WizardKind } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { keptOfComment, keptOfTicket, lossesOf } from "./kept.ts";

const whole: WizardKind = {
  name: "tickets",
  label: "Tickets",
  silent: true,
  removable: true,
  dropped: {},
  backdates: true,
  keepsAuthor: true,
};
const ownTimes = "It sets its own times.";

test("promises everything if the destination keeps everything", () => {
  expect(keptOfTicket(whole)).toEqual(["dates", "tags", "status"]);
  expect(keptOfComment(whole)).toBe("commentsBoth");
  expect(lossesOf(whole)).toEqual([]);
});

test("promises no dates without backdates, and says why in the tool's own words", () => {
  const kind = { ...whole, backdates: false, dropped: { createdAt: ownTimes, tags: "None." } };
  expect(keptOfTicket(kind)).toEqual(["status"]);
  expect(keptOfComment(kind)).toBe("commentsAuthor");
  expect(lossesOf(kind)).toEqual([{ loss: "ownDates", why: ownTimes }]);
});

test("promises no author without keepsAuthor", () => {
  const kind = { ...whole, keepsAuthor: false };
  expect(keptOfComment(kind)).toBe("commentsTime");
  expect(keptOfComment({ ...kind, backdates: false })).toBe("comments");
  expect(lossesOf(kind)).toEqual([{ loss: "ownAuthors", why: null }]);
});

test("promises nothing about private notes if they do not stay private", () => {
  expect(keptOfComment({ ...whole, dropped: { visibility: "Everybody sees it." } })).toBeNull();
});
