/** The date range of the records that a customer wants to move; null: no bound. */
export interface DateRange {
  /** Created at this moment or later. */
  readonly createdFrom: string | null;
  /** Created before this moment. */
  readonly createdBefore: string | null;
  /** Changed at this moment or later. */
  readonly changedFrom: string | null;
}

interface Dated {
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

const timeOf = (moment: string | null) => (moment === null ? Number.NaN : Date.parse(moment));

/** Whether a record is in the range. A record without a date is. */
export const isWithin = (
  { createdFrom, createdBefore, changedFrom }: DateRange,
  { createdAt, updatedAt }: Dated,
): boolean => {
  const made = timeOf(createdAt);
  const changed = timeOf(updatedAt ?? createdAt);
  // Comparisons with NaN are false, so an open bound or an unknown date excludes nothing.
  return (
    !(made < timeOf(createdFrom)) && !(made >= timeOf(createdBefore)) && !(changed < timeOf(changedFrom))
  );
};
