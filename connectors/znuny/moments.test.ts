import { expect, test } from "vitest";
import { fromLocal, localFrom, nextSecond, toLocal } from "./moments.ts";

const zone = "Europe/Berlin";

test.each([
  ["2014-01-15 08:00:00", "2014-01-15T07:00:00.000Z"],
  ["2016-07-15 08:00:00", "2016-07-15T06:00:00.000Z"],
  // The clocks show this time twice: the first is taken.
  ["2019-10-27 02:30:00", "2019-10-27T00:30:00.000Z"],
  ["", null],
])("%s in Berlin is %s", (local, moment) => {
  expect(fromLocal(local, zone)).toBe(moment);
});

test("a moment survives the way there and back", () => {
  for (const moment of ["2026-11-17T23:59:59.000Z", "2020-02-29T00:00:00.000Z", "1999-12-31T23:00:00.000Z"])
    for (const each of [zone, "UTC", "Asia/Kathmandu", "America/Sao_Paulo"])
      expect(fromLocal(toLocal(new Date(moment), each), each)).toBe(moment);
});

test("a search from a moment on misses nothing of the hour that the clocks repeat", () => {
  const since = new Date("2019-10-27T00:30:00.000Z");
  const later = toLocal(new Date("2019-10-27T01:10:00.000Z"), zone);
  expect(later < toLocal(since, zone)).toBe(true);
  expect(localFrom(since, zone) <= later).toBe(true);
  expect(localFrom(new Date("2019-06-01T00:00:00.000Z"), zone)).toBe("2019-06-01 02:00:00");
});

test("the next second carries over", () => {
  expect(nextSecond("2020-12-31 23:59:59")).toBe("2021-01-01 00:00:00");
});
