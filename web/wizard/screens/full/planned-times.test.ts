import { expect, test } from "vitest";
import { localNow, plannedTimes } from "./planned-times.ts";

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
