/** Redmine's times have seconds; the families' moments have milliseconds. */
export const momentOf = (time: string | null | undefined): string | null =>
  time ? new Date(time).toISOString() : null;

export const dayOf = (date: string | null | undefined): string | null => date || null;

/** Redmine stores decimal hours; rounding removes the division's floating-point error. */
export const minutesOf = (hours: number): number => Math.round(hours * 6000) / 100;

export const hoursOf = (minutes: number): number => minutes / 60;
