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

test("all of it where the new tool keeps all of it", () => {
  expect(keptOfTicket(whole)).toEqual(["dates", "tags", "status"]);
  expect(keptOfComment(whole)).toBe("commentsBoth");
  expect(lossesOf(whole)).toEqual([]);
});

test("no dates without backdates, and why in the tool's own words", () => {
  const kind = { ...whole, backdates: false, dropped: { createdAt: ownTimes, tags: "None." } };
  expect(keptOfTicket(kind)).toEqual(["status"]);
  expect(keptOfComment(kind)).toBe("commentsAuthor");
  expect(lossesOf(kind)).toEqual([{ loss: "ownDates", why: ownTimes }]);
});

test("no author without keeps-author", () => {
  const kind = { ...whole, keepsAuthor: false };
  expect(keptOfComment(kind)).toBe("commentsTime");
  expect(keptOfComment({ ...kind, backdates: false })).toBe("comments");
  expect(lossesOf(kind)).toEqual([{ loss: "ownAuthors", why: null }]);
});

test("nothing of private notes where they do not stay private", () => {
  expect(keptOfComment({ ...whole, dropped: { visibility: "Everybody sees it." } })).toBeNull();
});
