/** The date format of a column. A column has one: the reader reports other cells and never guesses. */
export const dateFormats = [
  "year-first",
  "day-first",
  "month-first",
  "named-month",
  "unix-seconds",
  "unix-milliseconds",
  "excel-serial",
] as const;

export type DateFormat = (typeof dateFormats)[number];

export interface ReadDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds since midnight; null: a day without a time. */
  readonly timeMs: number | null;
  /** Minutes east of UTC; null: the text names no offset. */
  readonly offset: number | null;
}

const time = String.raw`(?:[T,]?\s*(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\.?)?)?`;
const zone = String.raw`\s*(Z|UTC|GMT|(?:UTC|GMT)?[+-]\d{2}:?\d{2}|[+-]\d{2})?`;
const numeric = (parts: string) => new RegExp(`^${parts}${time}${zone}$`, "i");

const yearFirst = numeric(String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})`);
const yearLast = numeric(String.raw`(\d{1,2})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{4}|\d{2})`);
const dayNamed = numeric(
  String.raw`(?:\p{L}{2,10}\.?,?\s+)?(\d{1,2})(?:\.|st|nd|rd|th)?[\s-]+(?:de\s+)?(\p{L}{3,10})\.?,?[\s-]+(?:de\s+)?(\d{4}|\d{2})`,
);
const monthNamed = numeric(
  String.raw`(?:\p{L}{2,10}\.?,?\s+)?(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})`,
);
const unicode = (pattern: RegExp) => new RegExp(pattern.source, "iu");
const named = [unicode(dayNamed), unicode(monthNamed)] as const;

/** A version has this form, too: 2.4.12. */
export const isShortDottedDate = (written: string): boolean =>
  /^\s*\d{1,2}\.\s?\d{1,2}\.\s?\d{2}(?!\d)/.test(written);

const monthBeginnings: readonly (readonly string[])[] = [
  ["jan", "jän", "ene", "gen", "янв"],
  ["feb", "fév", "fev", "фев"],
  ["mar", "mär", "maa", "mrt", "мар"],
  ["apr", "avr", "abr", "апр"],
  ["may", "mai", "mag", "mei", "maj", "мая", "май"],
  ["jun", "juin", "giu", "июн"],
  ["jul", "juil", "lug", "июл"],
  ["aug", "aoû", "aou", "ago", "авг"],
  ["sep", "set", "сен"],
  ["oct", "okt", "ott", "out", "окт"],
  ["nov", "ноя"],
  ["dec", "dez", "déc", "dic", "дек"],
];

/** The longest matching prefix, so that "juillet" is not "jui…n". */
const monthOf = (name: string): number => {
  const lower = name.toLowerCase().normalize("NFC");
  const fits = monthBeginnings.flatMap((all, index) =>
    all.filter((each) => lower.startsWith(each)).map((each) => ({ month: index + 1, length: each.length })),
  );
  return fits.toSorted((a, b) => b.length - a.length)[0]?.month ?? 0;
};

const yearOf = (text: string): number => {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 69 ? 2000 + year : 1900 + year;
};

const offsetOf = (text: string | undefined): number | null => {
  if (!text) return null;
  const found = /([+-])(\d{2}):?(\d{2})?$/.exec(text);
  if (!found) return 0;
  return (found[1] === "-" ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3] ?? 0));
};

const timeOf = (parts: readonly (string | undefined)[]): number | null | undefined => {
  const [hours, minutes, seconds = "0", fraction = "0", half] = parts;
  if (hours === undefined || minutes === undefined) return null;
  let hour = Number(hours);
  if (half && (hour < 1 || hour > 12)) return undefined;
  if (half) hour = (hour % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return (
    ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Math.trunc(Number(`0.${fraction}`) * 1000)
  );
};

const checked = (
  year: number,
  month: number,
  day: number,
  rest: readonly (string | undefined)[],
): ReadDate | null => {
  const timeMs = timeOf(rest.slice(0, 5));
  if (timeMs === undefined || month < 1 || month > 12) return null;
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return null;
  return { year, month, day, timeMs, offset: offsetOf(rest[5]) };
};

const fromMs = (ms: number, offset: number | null): ReadDate | null => {
  const at = new Date(ms);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1) return null;
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth() + 1;
  const day = at.getUTCDate();
  return { year, month, day, timeMs: ms - Date.UTC(year, month - 1, day), offset };
};

const maxLength = 60;

/** Null: the text is not a date of that format. */
export const readDate = (written: string, format: DateFormat): ReadDate | null => {
  const text = written.trim();
  if (text.length > maxLength) return null;
  if (format === "unix-seconds" || format === "unix-milliseconds") {
    if (!/^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return null;
    return fromMs(Math.trunc(Number(text) * (format === "unix-seconds" ? 1000 : 1)), 0);
  }
  if (format === "excel-serial") {
    if (!/^\d{1,7}([.,]\d{1,15})?$/.test(text)) return null;
    return fromMs(Date.UTC(1899, 11, 30) + Math.round(Number(text.replace(",", ".")) * 86_400) * 1000, null);
  }
  if (format === "named-month") {
    const [dayFirst, monthFirst] = named.map((pattern) => pattern.exec(text));
    if (dayFirst)
      return checked(
        yearOf(dayFirst[3] ?? ""),
        monthOf(dayFirst[2] ?? ""),
        Number(dayFirst[1]),
        dayFirst.slice(4),
      );
    if (monthFirst)
      return checked(
        Number(monthFirst[3]),
        monthOf(monthFirst[1] ?? ""),
        Number(monthFirst[2]),
        monthFirst.slice(4),
      );
    return null;
  }
  const found = (format === "year-first" ? yearFirst : yearLast).exec(text);
  if (!found) return null;
  const [, a = "", b = "", c = ""] = found;
  const rest = found.slice(4);
  if (format === "year-first") return checked(Number(a), Number(b), Number(c), rest);
  if (format === "day-first") return checked(yearOf(c), Number(b), Number(a), rest);
  return checked(yearOf(c), Number(a), Number(b), rest);
};

const pad = (value: number, length = 2) => String(value).padStart(length, "0");

export const dayText = ({ year, month, day }: ReadDate): string =>
  `${pad(year, 4)}-${pad(month)}-${pad(day)}`;

const clocks = new Map<string, Intl.DateTimeFormat>();

const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const known =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  clocks.set(timeZone, known);
  return known;
};

/** Minutes that a zone is ahead of UTC at a moment. */
const zoneOffset = (timeZone: string, at: number): number => {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: string) => parts.get(type as never) ?? 0;
  const local = new Date(0);
  local.setUTCFullYear(part("year"), part("month") - 1, part("day"));
  local.setUTCHours(part("hour"), part("minute"), part("second"));
  return Math.round((local.getTime() - Math.floor(at / 1000) * 1000) / 60_000);
};

/** In UTC. An hour that the clocks skip or repeat gets the offset before the change. */
export const momentText = (date: ReadDate, timeZone: string): string => {
  const at = new Date(0);
  at.setUTCFullYear(date.year, date.month - 1, date.day);
  const local = at.getTime() + (date.timeMs ?? 0);
  if (date.offset !== null) return new Date(local - date.offset * 60_000).toISOString();
  if (timeZone === "UTC") return new Date(local).toISOString();
  const first = local - zoneOffset(timeZone, local - 86_400_000) * 60_000;
  const offset = zoneOffset(timeZone, first);
  return new Date(local - offset * 60_000).toISOString();
};
