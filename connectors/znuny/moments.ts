const clocks = new Map<string, Intl.DateTimeFormat>();

/** Swedish writes a time as Znuny does: 2026-11-17 23:59:59. */
const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const known =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  clocks.set(timeZone, known);
  return known;
};

/** A time as Znuny stores it: in its own zone, without saying which. */
export const toLocal = (at: number | Date, timeZone: string): string => clockOf(timeZone).format(at);

const asIfUtc = (local: string) => Date.parse(`${local.replace(" ", "T")}Z`);

const offsetAt = (at: number, timeZone: string) =>
  asIfUtc(toLocal(at, timeZone)) - Math.floor(at / 1000) * 1000;

const day = 86_400_000;
const hour = 3_600_000;

/** The moment of a time of Znuny; null: none. An hour that the clocks skip or repeat gets the offset before the change. */
export const fromLocal = (local: string | null | undefined, timeZone: string): string | null => {
  const shown = asIfUtc(local ?? "");
  if (Number.isNaN(shown)) return null;
  const first = shown - offsetAt(shown - day, timeZone);
  return new Date(shown - offsetAt(first, timeZone)).toISOString();
};

/** The bound for a search from a moment on: an hour earlier where the clocks are about to go back and show it again. */
export const localFrom = (at: Date, timeZone: string): string => {
  const goesBack = offsetAt(at.getTime() + hour, timeZone) < offsetAt(at.getTime(), timeZone);
  return toLocal(at.getTime() - (goesBack ? hour : 0), timeZone);
};

/** One second later on the clock; this is arithmetic on the text, in no zone. */
export const nextSecond = (local: string): string =>
  new Date(asIfUtc(local) + 1000).toISOString().slice(0, 19).replace("T", " ");

/** Whole seconds of Znuny since 1970, which need no zone; null: none. */
export const fromEpoch = (seconds: number): string | null =>
  seconds > 0 ? new Date(seconds * 1000).toISOString() : null;
