/** Formats numbers, times and amounts for the reader's locale. Estimates are rounded, counts never. */
export interface Formats {
  /** 12,430 */
  count(value: number): string;
  /** 1,234.5678: a value of a record, with all its digits */
  number(value: number): string;
  /** 46% for a share between 0 and 1: 100% only for exactly 1, 0% only for exactly 0. */
  percent(share: number): string;
  /** 8.2 GB */
  bytes(value: number): string;
  /** 2 h 20 min, 35 min, 40 s; the caller adds "about" */
  duration(seconds: number): string;
  /** Sep 12, 2025 */
  date(at: Date | string): string;
  /** Sep 12, 2025 for a day without a time: the same in every time zone */
  calendarDay(day: string): string;
  /** September 12 */
  day(at: Date | string): string;
  /** Sep 12, 2025, 9:41 AM */
  dateTime(at: Date | string): string;
  /** 3:12 PM */
  time(at: Date | string): string;
  /** 3 minutes ago, yesterday */
  relative(at: Date | string, now: Date): string;
  /** $349.00 for 34900 minor units */
  money(minorUnits: number, currency: string): string;
  /** Alex, Kim, and Sam */
  list(parts: readonly string[]): string;
}

const steps = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

const sizeOf = (value: number) => {
  const step = Math.min(steps.length - 1, Math.floor(Math.log(Math.max(1, value)) / Math.log(1000)));
  return { amount: value / 1000 ** step, unit: steps[step] ?? "byte" };
};

/** Rounds minutes to fives once there are hours: more precision is of no use then. */
const roundedMinutes = (seconds: number) => {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 60 ? minutes : Math.round(minutes / 5) * 5;
};

const relativeOf = (seconds: number): [number, Intl.RelativeTimeFormatUnit] => {
  const size = Math.abs(seconds);
  if (size < 45) return [0, "second"];
  if (size < 45 * 60) return [Math.round(seconds / 60), "minute"];
  if (size < 22 * 3600) return [Math.round(seconds / 3600), "hour"];
  return [Math.round(seconds / 86_400), "day"];
};

export const createFormats = (locale: string, timeZone?: string): Formats => {
  const zone = timeZone === undefined ? {} : { timeZone };
  const number = new Intl.NumberFormat(locale);
  const allDigits = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
  const calendarDay = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const whole = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, ...zone });
    return (at: Date | string) => format.format(new Date(at));
  };
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "short" })
      .format(value)
      // The symbols of the SI, which need no period at the end of a sentence.
      .replace(/\bhr\b|\bStd\./, "h")
      .replace(/\bMin\./, "min")
      .replace(/\bsec\b|\bSek\.|\bseg\b/, "s");
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const list = new Intl.ListFormat(locale, { type: "conjunction" });
  return {
    count: (value) => number.format(value),
    number: (value) => allDigits.format(value),
    percent: (share) => whole.format(share <= 0 ? 0 : share >= 1 ? 1 : Math.min(0.99, Math.max(0.01, share))),
    bytes: (value) => {
      const { amount, unit: name } = sizeOf(value);
      return new Intl.NumberFormat(locale, {
        style: "unit",
        unit: name,
        unitDisplay: "short",
        maximumFractionDigits: amount < 10 && name !== "byte" ? 1 : 0,
      }).format(amount);
    },
    duration: (seconds) => {
      if (seconds < 55) return unit(Math.max(5, Math.round(seconds / 5) * 5), "second");
      const minutes = roundedMinutes(seconds);
      const hours = Math.floor(minutes / 60);
      const rest = minutes % 60;
      if (hours === 0) return unit(minutes, "minute");
      return rest === 0 ? unit(hours, "hour") : `${unit(hours, "hour")} ${unit(rest, "minute")}`;
    },
    date: dates({ dateStyle: "medium" }),
    calendarDay: (day) => calendarDay.format(new Date(day)),
    day: dates({ month: "long", day: "numeric" }),
    dateTime: dates({ dateStyle: "medium", timeStyle: "short" }),
    time: dates({ timeStyle: "short" }),
    relative: (at, now) => relative.format(...relativeOf((new Date(at).getTime() - now.getTime()) / 1000)),
    money: (minorUnits, currency) => {
      const format = new Intl.NumberFormat(locale, { style: "currency", currency });
      return format.format(minorUnits / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
    },
    list: (parts) => list.format(parts),
  };
};
