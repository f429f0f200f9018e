import { folded } from "../model/fold.ts";

const decimal = /^[+-]?\d{1,300}(\.\d{1,300})?$/;

/** Accepts only unambiguous numbers: "1,5" and "1.234,00" can be read in two ways. */
export const readNumber = (text: string): number | null => {
  const trimmed = text.trim();
  const number = decimal.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? number : null;
};

const yes = new Set(["yes", "y", "true", "1", "on", "checked", "ja", "oui", "si", "sim"]);
const no = new Set(["no", "n", "false", "0", "off", "unchecked", "nein", "non", "nao"]);

export const readBoolean = (text: string): boolean | null => {
  const word = folded(text);
  if (yes.has(word)) return true;
  return no.has(word) ? false : null;
};

const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const moment =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

const daysIn = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const isDay = (text: string): boolean => {
  const [, year, month, date] = day.exec(text) ?? [];
  const last = daysIn[Number(month) - 1];
  if (last === undefined || Number(date) < 1 || Number(date) > last) return false;
  return month !== "02" || date !== "29" || isLeap(Number(year));
};

export type ReadTime =
  | { readonly is: "day"; readonly day: string }
  | { readonly is: "moment"; readonly moment: string };

/** ISO 8601 only: other formats may have days and months in either order. Times are in UTC. */
export const readTime = (text: string): ReadTime | null => {
  const trimmed = text.trim();
  if (isDay(trimmed)) return { is: "day", day: trimmed };
  const [, date = "", , seconds, , zone] = moment.exec(trimmed) ?? [];
  if (!isDay(date)) return null;
  if (zone === "Z" && seconds !== undefined) return { is: "moment", moment: trimmed };
  const inUtc = new Date(trimmed).toISOString();
  // The zone may move the time beyond the years with four digits.
  return /^\d{4}-/.test(inUtc) ? { is: "moment", moment: inUtc } : null;
};

/** At most `most` characters, without cutting one in two. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
