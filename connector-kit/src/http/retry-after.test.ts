import { describe, expect, test } from "vitest";
import type { QuotaHeaders } from "../manifest.ts";
import { readQuotas } from "./quotas.ts";
import { learnedFrom } from "./retry-after.ts";

const now = Date.parse("2026-03-01T12:00:00Z");

describe("the remainder of a quota", () => {
  const index = "Zendesk-RateLimit-Tickets-Index";
  test.each([
    [
      "seconds from now",
      { remaining: "RateLimit-Remaining", reset: "RateLimit-Reset", resetIs: "seconds-left" },
      { "ratelimit-remaining": "99", "ratelimit-reset": "41" },
    ],
    [
      "seconds since 1970",
      { remaining: "X-Left", reset: "X-Reset", resetIs: "unix-seconds" },
      { "x-left": "99", "x-reset": String(now / 1000 + 41) },
    ],
    [
      "milliseconds since 1970",
      { remaining: "X-Left", reset: "X-Reset", resetIs: "unix-milliseconds" },
      { "x-left": "99", "x-reset": String(now + 41_000) },
    ],
    [
      "a date",
      { remaining: "X-Left", reset: "X-Reset", resetIs: "iso-date" },
      { "x-left": "99", "x-reset": "2026-03-01T12:00:41Z" },
    ],
    [
      "parts of one header",
      {
        remaining: { header: index, part: "remaining" },
        reset: { header: index, part: "resets" },
        resetIs: "seconds-left",
      },
      { [index.toLowerCase()]: "total=100; remaining=99; resets=41" },
    ],
  ] satisfies [string, QuotaHeaders, Record<string, string>][])(
    "with its reset as %s",
    (_, quota, headers) => {
      expect(readQuotas(headers, [quota], now)).toEqual([
        { name: Object.keys(headers)[0], remaining: 99, resetMs: 41_000 },
      ]);
      expect(readQuotas({}, [quota], now)).toEqual([]);
    },
  );

  test("without a reset: at the latest after its window", () => {
    const quota = { remaining: "left", perMs: 10_000 };
    expect(readQuotas({ left: "0" }, [quota], now)).toEqual([
      { name: "left", remaining: 0, resetMs: 10_000, perMs: 10_000 },
    ]);
    expect(readQuotas({ left: "0" }, [{ remaining: "left" }], now)).toEqual([]);
  });

  test("a reset that has passed is now, and one that can't be read tells nothing", () => {
    const quota = { remaining: "left", reset: "reset", resetIs: "iso-date" } as const;
    expect(readQuotas({ left: "0", reset: "2026-03-01T11:00:00Z" }, [quota], now)).toEqual([
      { name: "left", remaining: 0, resetMs: 0 },
    ]);
    expect(readQuotas({ left: "0", reset: "soon" }, [quota], now)).toEqual([]);
  });

  test("of several quotas, a 429 waits until none is empty", () => {
    const quotaHeaders: QuotaHeaders[] = ["second", "day", "month"].map((name) => ({
      remaining: `${name}-left`,
      reset: `${name}-reset`,
      resetIs: "seconds-left",
    }));
    const headers = {
      "second-left": "0",
      "second-reset": "1",
      "day-left": "0",
      "day-reset": "3600",
      "month-left": "7",
      "month-reset": "99999",
    };
    const answer = { call: { kind: "read" as const }, status: 429, headers, askedMs: undefined };
    expect(learnedFrom(answer, { quotaHeaders }, now)).toMatchObject({
      retryAfterMs: 3_600_000,
      quotas: [{ name: "second-left" }, { name: "day-left" }, { name: "month-left", remaining: 7 }],
    });
    const elsewhere = quotaHeaders.map((quota) => ({ ...quota, class: "export" }));
    expect(learnedFrom(answer, { quotaHeaders: elsewhere }, now).retryAfterMs).toBeNull();
    const asked = { ...answer, headers: { ...headers, "retry-after": "2" } };
    expect(learnedFrom(asked, { quotaHeaders }, now).retryAfterMs).toBe(2_000);
  });
});
