/** The date in the reader's time zone, in the format of `<input type="date">`. */
export const dayOf = (moment: Date | string): string => {
  const day = new Date(moment);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
};

/** The first moment of a day in the reader's time zone; null: not a day. */
export const startOfDay = (day: string, later = 0): string | null => {
  const moment = new Date(`${day}T00:00:00`);
  if (Number.isNaN(moment.getTime())) return null;
  // By the calendar: a day may have 23 or 25 hours.
  moment.setDate(moment.getDate() + later);
  return moment.toISOString();
};
