import type { WizardNoOffer, WizardPurchase } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { leadOf } from "./lead-of.ts";

const offer = { kind: "offer" } as WizardPurchase;
const none = (why: WizardNoOffer) => ({ kind: "none", why }) as WizardPurchase;
const declined = { kind: "buy", declined: true } as const;
const buys = { kind: "buy", declined: false } as const;

test("after a rejection the lead mentions paying only if there is an offer", () => {
  expect(leadOf(declined, { blocked: false, purchase: offer })).toBe("declined");
  for (const purchase of [undefined, none("not_offered"), none("too_large"), none("counting")])
    expect(leadOf(declined, { blocked: false, purchase })).toBe("declinedOnly");
});

test("a customer who pays sees how, unless payment is impossible", () => {
  for (const purchase of [undefined, offer, none("counting"), none("no_sample")])
    expect(leadOf(buys, { blocked: false, purchase })).toBe("buy");
  for (const why of ["not_offered", "too_large"] as const)
    expect(leadOf(buys, { blocked: false, purchase: none(why) })).toBe("buyOnly");
});

test("the lead mentions blockers only when the move could start", () => {
  const start = { kind: "start", by: "partner" } as const;
  expect(leadOf(start, { blocked: true, purchase: undefined })).toBe("blocked");
  expect(leadOf(start, { blocked: false, purchase: undefined })).toBe("start");
  expect(leadOf({ kind: "waiting" }, { blocked: false, purchase: offer })).toBe("waiting");
});
