/** The columns of the list of people, as its first row names them. */
export const columns = ["id", "name", "email", "match"] as const;

/** In the last column: what happens to a person besides a match with somebody. */
export const ways = ["copy", "default", "nobody"] as const;

/**
 * Before an id, in both columns that hold some: a spreadsheet would take a bare one for a number, show it as
 * 3.60001E+11 and save that.
 */
export const idMark = "id:";

/** The id behind the mark; null: there is no mark. */
export const markedId = (cell: string): string | null => /^id:\s*(.*)$/is.exec(cell)?.[1] ?? null;
