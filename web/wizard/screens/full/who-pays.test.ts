import { expect, test } from "vitest";
import { whoPays } from "./who-pays.ts";

const given = { payer: "partner_decides", paid: false, sponsorship: "undecided", asked: false } as const;

test("who pays decides what can be done, and a payment outweighs a no", () => {
  expect(whoPays(given)).toEqual({ kind: "ask" });
  expect(whoPays({ ...given, asked: true })).toEqual({ kind: "waiting" });
  expect(whoPays({ ...given, asked: true, sponsorship: "rejected" })).toEqual({
    kind: "buy",
    declined: true,
  });
  expect(whoPays({ ...given, paid: true, sponsorship: "accepted" })).toEqual({
    kind: "start",
    by: "partner",
  });
  expect(whoPays({ ...given, paid: true, sponsorship: "rejected" })).toEqual({
    kind: "start",
    by: "customer",
  });
  expect(whoPays({ ...given, payer: "customer" })).toEqual({ kind: "buy", declined: false });
});

test("while the partner decides, its customer may pay, and is not asked to once somebody has", () => {
  const oneself = { paysOneself: true };
  expect(whoPays(given, oneself)).toEqual({ kind: "buy", declined: false });
  expect(whoPays({ ...given, asked: true }, oneself)).toEqual({ kind: "buy", declined: false });
  expect(whoPays({ ...given, paid: true, sponsorship: "accepted" }, oneself)).toEqual({
    kind: "start",
    by: "partner",
  });
});
