/** Which records of an import are listed. */
export interface RecordsFilter {
  readonly state?: string | undefined;
  /** The kind of a finding: the records that it counts. */
  readonly finding?: string | undefined;
  readonly stream?: string | undefined;
  readonly code?: string | undefined;
  /** The page after this. */
  readonly before?: string | undefined;
}

const names = ["state", "finding", "stream", "code", "before"] as const;

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

/** What counts fields, or what a comparison found, has no records of its own. */
const counting: ReadonlySet<string> = new Set(["failed", "skipped", "kept"]);

interface CountedFinding {
  readonly stream: string;
  readonly kind: string;
  readonly code: string;
}

/**
 * The list of the records that a finding counts; null: there is none. Not by their state in the ledger: a copy that stays as it is,
 * or could not be brought up to date, is a written one there.
 */
export const findingAddress = (importId: string, { stream, kind, code }: CountedFinding): string | null =>
  counting.has(kind) ? recordsAddress(importId, { finding: kind, stream, code }) : null;
