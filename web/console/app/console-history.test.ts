import { expect, test } from "vitest";
import { addressOf, returnAddress, signInAddress } from "./console-history.ts";

test("the sign-in returns to where the person was", () => {
  const href = signInAddress("/imports?stuck=true&tool=a b");
  expect(returnAddress(new URL(addressOf(href), "https://x.example").searchParams)).toBe(
    "/imports?stuck=true&tool=a b",
  );
  expect(signInAddress("/sign-in?to=%2F")).toBe("/sign-in?to=%2F");
});

test.each(["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/sign-in"])(
  "it does not lead to %s",
  (to) => {
    expect(returnAddress(new URLSearchParams({ to }))).toBe("/");
  },
);
