/** A page of what was found by asking for one row more than it has: the row tells that there is a next page. */
export const pageOf = <T>(
  found: readonly T[],
  limit: number,
  idOf: (row: T) => string,
): { readonly rows: readonly T[]; readonly next: string | null } => {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? idOf(last) : null };
};
