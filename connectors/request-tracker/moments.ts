/** RT reads this form right and misreads ISO 8601; its times are UTC and have no fractions of a second. */
export const toRtTime = (moment: string | Date): string =>
  new Date(moment).toISOString().slice(0, 19).replace("T", " ");

/** RT has no empty time: 1970 began where none was set, and all that was before it is shown so too. */
export const fromRtTime = (text: string | null | undefined): string | null => {
  if (!text) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) || at <= 0 ? null : new Date(at).toISOString();
};

/** The first moment that RT can show. */
export const firstMoment = "1970-01-01T00:00:01.000Z";

export const canHold = (moment: string): boolean => Date.parse(moment) > 0;

/** As RT will show it: whole seconds. */
export const heldMoment = (moment: string): string =>
  new Date(Math.floor(Date.parse(moment) / 1000) * 1000).toISOString();

/** A bound of a date, as TicketSQL has it; what has no date, as RT shows it, is not left out for its date. */
export const dateLimit = (field: "Created" | "LastUpdated", bound: ">=" | "<", moment: string): string => {
  // Times in RT are whole seconds: the first at or after the moment.
  const second = new Date(Math.ceil(Date.parse(moment) / 1000) * 1000);
  return `(${field} ${bound} '${toRtTime(second)}' OR ${field} IS NULL OR ${field} < '${toRtTime(firstMoment)}')`;
};
