/** RT parses this format correctly and misreads ISO 8601; its times are UTC in whole seconds. */
export const toRtTime = (moment: string | Date): string =>
  new Date(moment).toISOString().slice(0, 19).replace("T", " ");

/** RT has no empty time: it shows the start of 1970 for a time that was never set and for every earlier time. */
export const fromRtTime = (text: string | null | undefined): string | null => {
  if (!text) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) || at <= 0 ? null : new Date(at).toISOString();
};

/** The first moment that RT can show. */
export const firstMoment = "1970-01-01T00:00:01.000Z";

export const canHold = (moment: string): boolean => Date.parse(moment) > 0;

/** A time as RT shows it: in whole seconds. */
export const heldMoment = (moment: string): string =>
  new Date(Math.floor(Date.parse(moment) / 1000) * 1000).toISOString();

/** The moment that RT holds instead of another. */
export const nearestMoment = (moment: string): string => (canHold(moment) ? heldMoment(moment) : firstMoment);

export const wholeSeconds = "Request Tracker has no dates before 1970, and whole seconds only.";

/** A date bound in TicketSQL. It keeps tickets that have no date in RT. */
export const dateLimit = (field: "Created" | "LastUpdated", bound: ">=" | "<", moment: string): string => {
  // Times in RT are whole seconds: take the first one at or after the moment.
  const second = new Date(Math.ceil(Date.parse(moment) / 1000) * 1000);
  return `(${field} ${bound} '${toRtTime(second)}' OR ${field} IS NULL OR ${field} < '${toRtTime(firstMoment)}')`;
};
