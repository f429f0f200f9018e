import { expect, test } from "vitest";
import { whoPays } from "./who-pays.ts";

const given = { payer: "partner_decides", paid: false, sponsorship: "undecided", asked: false } as const;

test("the payer decides the next action; a payment overrides a rejection", () => {
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

test("the customer may pay while the partner decides, but not once the move is paid", () => {
  const oneself = { paysOneself: true };
  expect(whoPays(given, oneself)).toEqual({ kind: "buy", declined: false });
  expect(whoPays({ ...given, asked: true }, oneself)).toEqual({ kind: "buy", declined: false });
  expect(whoPays({ ...given, paid: true, sponsorship: "accepted" }, oneself)).toEqual({
    kind: "start",
    by: "partner",
  });
});
