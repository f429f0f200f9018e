export type NumberKind = "number" | "day" | "moment" | "time";

const builtInDays = new Set([
  14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);
const builtInTimes = new Set([18, 19, 20, 21, 32, 33, 45, 46, 47]);

/** The kind of a number format: by its number if that is standard, else by its letters. */
export const numberKind = (id: number, code: string | undefined): NumberKind => {
  if (code === undefined) {
    if (id === 22) return "moment";
    if (builtInDays.has(id)) return "day";
    return builtInTimes.has(id) ? "time" : "number";
  }
  const letters = code
    .slice(0, 500)
    .replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/am\/pm|a\/p/gi, "")
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "")
    .toLowerCase();
  if (letters.includes("general")) return "number";
  const time = /[hs]/.test(letters);
  // An m alone is a month; beside hours or seconds it means minutes.
  const day = /[yd]/.test(letters) || (!time && letters.includes("m"));
  if (day && time) return "moment";
  if (day) return "day";
  return time ? "time" : "number";
};

const dayMs = 86_400_000;
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);

/** A day or moment as Excel counts it, in ISO 8601 without a zone: a sheet has none. */
export const serialText = (serial: number, kind: NumberKind, from1904: boolean): string => {
  // The first two months of 1900 are off by one, since Lotus 1-2-3 took it for a leap year.
  const days = !from1904 && serial < 60 && serial >= 1 ? serial + 1 : serial;
  const at = new Date((from1904 ? epoch1904 : epoch1900) + Math.round(days * dayMs));
  if (Number.isNaN(at.getTime()) || serial < 0) return String(serial);
  const text = at.toISOString().replace(/\.000Z$|Z$/, "");
  if (kind === "time" && serial < 1) return text.slice(11);
  return kind === "day" && text.endsWith("T00:00:00") ? text.slice(0, 10) : text;
};

const escaped = /_x([0-9A-Fa-f]{4})_/g;

/** Excel writes characters that XML can't hold as `_x000D_`. */
export const unescapeText = (text: string): string =>
  text.includes("_x")
    ? text
        .replace(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        .replaceAll("\0", "")
    : text;

/** 0.1 is stored as 0.10000000000000001. */
export const numberText = (stored: string): string => {
  const number = Number(stored);
  if (stored.trim() === "" || !Number.isFinite(number)) return stored;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? stored : String(number);
};
