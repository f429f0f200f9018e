import { helpdesk } from "@portage/connector-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { destinationOf } from "../mapping/testing/memory-connector.ts";
import { declaredPerMinute, estimateRun } from "./estimate.ts";
import type { StreamLook } from "./look-at-streams.ts";
import { findLong } from "./plan-findings.ts";

const look = (name: "tickets" | "comments" | "attachments", more: Partial<StreamLook> = {}): StreamLook => ({
  stream: helpdesk[name],
  to: { ...destinationOf(helpdesk[name]), batchSize: 10 },
  count: 100,
  exact: true,
  bytes: null,
  pageSize: 10,
  perParent: null,
  refused: null,
  ...more,
});
const unlimited = { sourcePerMinute: null, destinationPerMinute: null, shared: false };

test("counts each page twice, and each batch as a write and, up to a limit, a read-back", () => {
  expect(estimateRun([look("tickets")], unlimited)).toEqual({
    records: 100,
    requests: { source: 20, destination: 20 },
    durationMs: null,
  });
  expect(estimateRun([look("tickets", { count: 100_000 })], unlimited).requests.destination).toBe(11_000);
});

test("counts each file once per side; a stream that the destination does not take costs nothing", () => {
  const looks = [look("attachments"), look("tickets", { to: null })];
  expect(estimateRun(looks, unlimited).requests).toEqual({ source: 120, destination: 120 });
});

test("counts a per-parent stream at least once per parent", () => {
  const looks = [look("tickets", { count: 500 }), look("comments", { perParent: "tickets", pageSize: null })];
  expect(estimateRun(looks, unlimited).requests.source).toBe(100 + 1_000);
});

test("an unknown count makes the sum unknown, not zero", () => {
  expect(estimateRun([look("tickets"), look("comments", { count: null })], unlimited).records).toBeNull();
});

test("the slower side decides; a shared account has to serve both sides", () => {
  const looks = [look("tickets")];
  const minute = 60_000;
  const rates = { sourcePerMinute: 10, destinationPerMinute: 5, shared: false };
  expect(estimateRun(looks, rates).durationMs).toBe(4 * minute);
  expect(estimateRun(looks, { ...rates, destinationPerMinute: 10, shared: true }).durationMs).toBe(
    4 * minute,
  );
});

test("more records never take less", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.nat(1_000_000), fc.integer({ min: 1, max: 500 }), (a, b, pageSize) => {
      const rates = { sourcePerMinute: 60, destinationPerMinute: 30, shared: false };
      const of = (count: number) =>
        estimateRun([look("tickets", { count, pageSize })], rates).durationMs ?? 0;
      expect(of(Math.min(a, b))).toBeLessThanOrEqual(of(Math.max(a, b)));
    }),
  );
});

test("the slowest of a tool's quotas counts", () => {
  expect(declaredPerMinute({ limits: [] })).toBeNull();
  const limits = [
    { requests: 10, perMs: 1_000 },
    { requests: 3_000, perMs: 3_600_000 },
  ];
  expect(declaredPerMinute({ limits })).toBe(50);
});

test("only more than a day is long", () => {
  const day = 24 * 3_600_000;
  const of = (durationMs: number | null) =>
    findLong({ records: 1, requests: { source: 1, destination: 1 }, durationMs });
  expect(of(null)).toEqual([]);
  expect(of(day)).toEqual([]);
  expect(of(day + 1)).toMatchObject([{ code: "takes_long", level: "warns" }]);
  expect(of(3 * day)[0]?.message).toContain("3 days");
});
