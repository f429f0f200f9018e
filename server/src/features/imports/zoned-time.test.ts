import fc from "fast-check";
import { expect, test } from "vitest";
import { isTimeZone, momentOf } from "./zoned-time.ts";

const at = (local: string, timeZone: string) => momentOf(local, timeZone)?.toISOString();

test.each([
  ["2026-11-21T22:00", "Europe/Berlin", "2026-11-21T21:00:00.000Z"],
  ["2026-07-04T22:00", "Europe/Berlin", "2026-07-04T20:00:00.000Z"],
  ["2026-11-21T22:00", "America/New_York", "2026-11-22T03:00:00.000Z"],
  ["2026-11-21T00:15", "Asia/Kathmandu", "2026-11-20T18:30:00.000Z"],
  ["2026-11-21T22:00", "Pacific/Kiritimati", "2026-11-21T08:00:00.000Z"],
  ["2026-11-21T22:00", "UTC", "2026-11-21T22:00:00.000Z"],
] as const)("%s in %s is %s", (local, zone, moment) => expect(at(local, zone)).toBe(moment));

test("a time that the clocks skip is as much later as they skip", () => {
  expect(at("2027-03-28T02:30", "Europe/Berlin")).toBe("2027-03-28T01:30:00.000Z");
  expect(at("2027-03-14T02:30", "America/New_York")).toBe("2027-03-14T07:30:00.000Z");
  expect(at("2026-10-04T02:15", "Australia/Lord_Howe")).toBe("2026-10-03T15:45:00.000Z");
});

test("a time that comes twice is the first one", () => {
  expect(at("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
  expect(at("2026-11-01T01:30", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
});

test("what is no time or no time zone is refused", () => {
  expect(momentOf("2026-13-01T00:00", "UTC")).toBeNull();
  expect(momentOf("tonight", "UTC")).toBeNull();
  expect(isTimeZone("Europe/Berlin")).toBe(true);
  expect(isTimeZone("Mars/Olympus")).toBe(false);
});

test("clocks show the wanted time at that moment, unless they skip it", () => {
  const zones = ["Europe/Berlin", "America/St_Johns", "Asia/Tehran", "Australia/Lord_Howe", "Pacific/Apia"];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.date({ min: new Date("2024-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
      (timeZone, date) => {
        const local = date.toISOString().slice(0, 16);
        const moment = momentOf(local, timeZone);
        const shown = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "short", timeZone })
          .format(moment ?? 0)
          .replace(" ", "T");
        const laterMs = Date.parse(`${shown}Z`) - Date.parse(`${local}Z`);
        expect([0, 1_800_000, 3_600_000]).toContain(laterMs);
      },
    ),
  );
});
