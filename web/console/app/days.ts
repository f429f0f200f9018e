/**
 * The moment at which a day begins where the browser is, or a number of days later, as the API takes it. What is no day goes as it is:
 * the API says what is wrong with it.
 */
export const beginningOf = (day: string, daysLater = 0): string => {
  const at = new Date(`${day}T00:00:00`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(at.getTime())) return day;
  // By the calendar: a day may have 23 or 25 hours.
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
};
