import { expect, test } from "vitest";
import { createFormats } from "../../ui/formats.ts";
import { valueText } from "./value-text.ts";

const shown = (value: Parameters<typeof valueText>[0], zone: string, locale = "en-US") =>
  valueText(value, createFormats(locale, zone)).replaceAll(" ", " ");

test.each(["America/New_York", "UTC", "Asia/Tokyo"])("a date is the same date in %s", (zone) => {
  for (const written of [
    "2031-12-31",
    "2031-12-31T00:00:00Z",
    "2031-12-31T00:00:00.000Z",
    "2031-12-31T00:00Z",
  ])
    expect(shown(written, zone)).toBe("Dec 31, 2031");
  expect(shown("2031-12-31T00:00:00.000Z", zone, "de")).toBe("31.12.2031");
});

test("a date with a time is in the reader's time zone", () => {
  expect(shown("2031-12-31T23:59:00.000Z", "America/New_York")).toBe("Dec 31, 2031, 6:59 PM");
  expect(shown("2031-12-31T00:00:01.000Z", "America/New_York")).toBe("Dec 30, 2031, 7:00 PM");
  expect(shown("2031-12-31T00:00:00+02:00", "America/New_York")).toBe("Dec 30, 2031, 5:00 PM");
});

test("numbers use the reader's locale and are never rounded", () => {
  expect(shown(10_482.125_61, "UTC")).toBe("10,482.12561");
  expect(shown(10_482.5, "UTC", "de")).toBe("10.482,5");
});

test("text that is not a date stays as it is", () => {
  for (const text of ["2031-02-31", "2031-12-31 at noon", "2031-13-01T00:00:00Z", "31.12.2031", "25"])
    expect(shown(text, "UTC")).toBe(text);
  expect(shown(["A-1", "2031-12-31"], "UTC")).toBe("A-1, 2031-12-31");
  expect(shown(null, "UTC")).toBe("");
});
