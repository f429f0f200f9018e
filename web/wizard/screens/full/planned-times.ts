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

/** What the clocks of the time zone show when a move that starts then has taken so long. */
export const plannedEnd = (local: string, durationMs: number, timeZone: string): string => {
  const asUtc = Date.parse(`${local}:00Z`);
  const offset = Date.parse(`${localNow(new Date(asUtc), timeZone)}:00Z`) - asUtc;
  return localNow(new Date(asUtc - offset + durationMs), timeZone);
};

/** People are at work again. */
const morning = "08:00";

/** What the move outlasts, although it was planned for it; null: nothing. */
export const endsAfter = (
  when: "tonight" | "weekend" | "own",
  local: string,
  end: string,
): "night" | "weekend" | null => {
  const day = local.slice(0, 10);
  if (when === "tonight") return end > `${later(day, 1)}T${morning}` ? "night" : null;
  return when === "weekend" && end > `${later(day, 2)}T${morning}` ? "weekend" : null;
};
