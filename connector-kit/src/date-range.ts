/** What a customer wants to have moved, by its dates; null: no bound. */
export interface DateRange {
  /** Made at this moment or later. */
  readonly createdFrom: string | null;
  /** Made before this moment. */
  readonly createdBefore: string | null;
  /** Changed at this moment or later. */
  readonly changedFrom: string | null;
}

interface Dated {
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

const timeOf = (moment: string | null) => (moment === null ? Number.NaN : Date.parse(moment));

/** Whether a record falls into the range. What has no date is not left out for its date. */
export const isWithin = (
  { createdFrom, createdBefore, changedFrom }: DateRange,
  { createdAt, updatedAt }: Dated,
): boolean => {
  const made = timeOf(createdAt);
  const changed = timeOf(updatedAt ?? createdAt);
  // Nothing is under or over what is no number: an open bound, an unknown date.
  return (
    !(made < timeOf(createdFrom)) && !(made >= timeOf(createdBefore)) && !(changed < timeOf(changedFrom))
  );
};
