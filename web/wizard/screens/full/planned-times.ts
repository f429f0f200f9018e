/** What the clocks of a time zone show now: "2026-11-21T22:05". */
export const localNow = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("sv", { dateStyle: "short", timeStyle: "short", timeZone })
    .format(now)
    .replace(" ", "T");

const tonightAt = "22:00";
const weekendAt = "08:00";
const saturday = 6;

/** Days are calendar days: how many hours they have does not matter. */
const later = (day: string, days: number): string => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
};

/** The next evening, and the next Saturday, as times on the clocks of the time zone. */
export const plannedTimes = (
  now: Date,
  timeZone: string,
): { readonly tonight: string; readonly weekend: string } => {
  const local = localNow(now, timeZone);
  const today = local.slice(0, 10);
  const tonight = `${today}T${tonightAt}`;
  const inDays = (saturday - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7;
  const weekend = `${later(today, inDays)}T${weekendAt}`;
  return {
    tonight: tonight > local ? tonight : `${later(today, 1)}T${tonightAt}`,
    weekend: weekend > local ? weekend : `${later(today, inDays + 7)}T${weekendAt}`,
  };
};
