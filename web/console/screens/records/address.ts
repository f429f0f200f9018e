/** Which records of an import are listed. */
export interface RecordsFilter {
  readonly state?: string | undefined;
  readonly stream?: string | undefined;
  readonly code?: string | undefined;
  /** The page after this. */
  readonly before?: string | undefined;
}

const names = ["state", "stream", "code", "before"] as const;

/** The same in the console and in the operator API. */
export const recordsAddress = (
  importId: string,
  filter: RecordsFilter,
  more: Readonly<Record<string, string>> = {},
): string => {
  const query = new URLSearchParams(more);
  for (const name of names) {
    const value = filter[name];
    if (value !== undefined) query.set(name, value);
  }
  const text = query.toString();
  return `/imports/${importId}/records${text === "" ? "" : `?${text}`}`;
};

export const recordsOf = (query: URLSearchParams): RecordsFilter =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
