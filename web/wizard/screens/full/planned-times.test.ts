import { expect, test } from "vitest";
import { endsAfter, localNow, plannedEnd, plannedTimes } from "./planned-times.ts";

const at = (moment: string, zone = "Europe/Berlin") => plannedTimes(new Date(moment), zone);

test("tonight is this evening, or the next one if it has begun", () => {
  expect(at("2026-11-18T11:00:00Z").tonight).toBe("2026-11-18T22:00");
  expect(at("2026-11-18T21:00:00Z").tonight).toBe("2026-11-19T22:00");
});

test("the weekend is the next Saturday, from whatever day", () => {
  expect(at("2026-11-18T11:00:00Z").weekend).toBe("2026-11-21T08:00");
  expect(at("2026-11-21T06:00:00Z").weekend).toBe("2026-11-21T08:00");
  expect(at("2026-11-21T08:00:00Z").weekend).toBe("2026-11-28T08:00");
  expect(at("2026-11-22T08:00:00Z").weekend).toBe("2026-11-28T08:00");
});

test("the day is that of the time zone, across a month and a change of clocks", () => {
  expect(at("2026-10-31T23:30:00Z", "Pacific/Auckland").tonight).toBe("2026-11-01T22:00");
  expect(at("2026-10-24T22:30:00Z").weekend).toBe("2026-10-31T08:00");
  expect(localNow(new Date("2026-07-01T22:30:00Z"), "Europe/Berlin")).toBe("2026-07-02T00:30");
});

const hours = (number: number) => number * 3_600_000;

test("the end is what the clocks show then, also across a change of clocks", () => {
  const end = (local: string, took: number, zone = "Europe/Berlin") => plannedEnd(local, hours(took), zone);
  expect(end("2026-11-18T22:00", 9)).toBe("2026-11-19T07:00");
  expect(end("2026-11-18T22:00", 9, "America/New_York")).toBe("2026-11-19T07:00");
  expect(end("2026-03-28T22:00", 9)).toBe("2026-03-29T08:00");
  expect(end("2026-10-24T22:00", 9)).toBe("2026-10-25T06:00");
});

test("a night ends in the morning, a weekend on Monday morning, and a chosen time has no end to miss", () => {
  const after = (when: "tonight" | "weekend" | "own", local: string, took: number) =>
    endsAfter(when, local, plannedEnd(local, hours(took), "UTC"));
  expect(after("tonight", "2026-11-18T22:00", 10)).toBeNull();
  expect(after("tonight", "2026-11-18T22:00", 10.1)).toBe("night");
  // Planned after midnight, for the evening of the same day.
  expect(after("tonight", "2026-11-30T22:00", 11)).toBe("night");
  expect(after("weekend", "2026-11-21T08:00", 48)).toBeNull();
  expect(after("weekend", "2026-11-21T08:00", 49)).toBe("weekend");
  expect(after("own", "2026-11-18T22:00", 400)).toBeNull();
});
