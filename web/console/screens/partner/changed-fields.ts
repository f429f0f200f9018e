type Fields = Readonly<Record<string, string | null | readonly string[]>>;

/** The fields that differ from what they were. A change leaves out the others: somebody else may have set them meanwhile. */
export const changedFields = <T extends Fields>(before: T, now: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  ) as Partial<T>;
