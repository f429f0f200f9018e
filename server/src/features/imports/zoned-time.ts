/** A date and time on a clock in a place, as `<input type="datetime-local">` has it. */
export const localTimePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

/** What clocks in the time zone show at a moment, read as if they were in UTC. */
const shownAt = (moment: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat("en-CA", {
    ...({ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit" } as const),
    ...({ minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZone } as const),
  }).formatToParts(new Date(moment));
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
};

const hourMs = 3_600_000;

/**
 * The moment at which clocks in a time zone show a time. A time that comes twice, when the clocks are set back, is the first one; a
 * time that is skipped, when they are set forward, is as much later as they skip. Null: not a time.
 */
export const momentOf = (local: string, timeZone: string): Date | null => {
  const wanted = Date.parse(`${local}:00Z`);
  if (!localTimePattern.test(local) || Number.isNaN(wanted)) return null;
  // The offsets before and after any change on that day.
  const offsets = [wanted - 26 * hourMs, wanted + 26 * hourMs].map((near) => shownAt(near, timeZone) - near);
  const candidates = offsets.map((offset) => wanted - offset);
  const exact = candidates.filter((moment) => shownAt(moment, timeZone) === wanted);
  // Skipped: by the offset before the change.
  return new Date(exact.length > 0 ? Math.min(...exact) : (candidates[0] ?? wanted));
};
