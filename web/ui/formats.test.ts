import { expect, test } from "vitest";
import { createFormats } from "./formats.ts";

const english = createFormats("en-US", "America/New_York");
const german = createFormats("de", "Europe/Berlin");

test("counts are never rounded; shares reach 0% or 100% only exactly", () => {
  expect(english.count(12_430)).toBe("12,430");
  expect(german.count(12_430)).toBe("12.430");
  expect([0, 0.0001, 0.456, 0.9999, 1].map(english.percent)).toEqual(["0%", "1%", "46%", "99%", "100%"]);
});

test.each([
  [3, "5 s"],
  [42, "40 s"],
  [70, "1 min"],
  [2_100, "35 min"],
  [8_400, "2 h 20 min"],
  [7_290, "2 h"],
])("%d seconds: %s", (seconds, text) => {
  expect(english.duration(seconds).replaceAll(" ", " ")).toBe(text);
});

test.each([
  ["de", "2 h 20 min", "40 s"],
  ["fr", "2 h 20 min", "40 s"],
  ["es", "2 h 20 min", "40 s"],
  ["pt-BR", "2 h 20 min", "40 s"],
  ["ja", "2 時間 20 分", "40 秒"],
])("durations in %s: %s, %s, without a period that would end the sentence twice", (locale, long, short) => {
  const { duration } = createFormats(locale);
  expect(duration(8_400).replaceAll(/\s/g, " ")).toBe(long);
  expect(duration(40).replaceAll(/\s/g, " ")).toBe(short);
});

test.each([
  [12, "12 byte"],
  [8_210_000_000, "8.2 GB"],
  [82_100_000, "82 MB"],
])("%d bytes: %s", (bytes, text) => {
  expect(english.bytes(bytes)).toBe(text);
});

test("dates use the reader's time zone and language", () => {
  const at = "2025-09-12T13:41:00Z";
  expect(english.dateTime(at).replaceAll(" ", " ")).toBe("Sep 12, 2025, 9:41 AM");
  expect(english.day(at)).toBe("September 12");
  expect(english.relative(at, new Date("2025-09-12T13:44:00Z"))).toBe("3 minutes ago");
  expect(english.relative(at, new Date("2025-09-13T13:44:00Z"))).toBe("yesterday");
  expect(german.relative(at, new Date("2025-09-12T13:44:00Z"))).toBe("vor 3 Minuten");
});

test("amounts are in minor units of their currency, which are not always hundredths", () => {
  expect(english.money(34_900, "usd")).toBe("$349.00");
  expect(english.money(5, "usd")).toBe("$0.05");
  expect(english.money(34_900, "jpy")).toBe("¥34,900");
  expect(german.money(123_456, "eur").replaceAll(/\s/g, " ")).toBe("1.234,56 €");
});
