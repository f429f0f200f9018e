import type { At, Cursor } from "@portage/connector-kit";
import { getTickets, type Parts, type Query, searchTickets } from "./ask.ts";
import { localFrom, nextSecond } from "./moments.ts";
import type { TicketRow } from "./rows.ts";
import type { ZnunyIo } from "./settings.ts";

interface TicketPage {
  readonly rows: readonly TicketRow[];
  readonly next: Cursor | null;
}

/** Tickets that changed. A new article moves this time only because of other modules, such as that for escalations. */
export const changedSince = ({ settings }: ZnunyIo, since: Date | null): Query =>
  since ? { TicketLastChangeTimeNewerDate: localFrom(since, settings.timeZone) } : {};

/** Tickets with new articles. */
export const saidSince = ({ settings }: ZnunyIo, since: Date | null): Query =>
  since ? { ArticleCreateTimeNewerDate: localFrom(since, settings.timeZone) } : {};

const inOrder = (rows: readonly TicketRow[]) =>
  rows.toSorted((a, b) => (a.Created < b.Created ? -1 : a.Created > b.Created ? 1 : a.TicketID - b.TicketID));

/**
 * A page of tickets by creation time and id, neither of which changes. Znuny's searches have neither offsets nor a bound
 * for ids, only whole seconds: so the page takes what is left of the cursor's second, and then later tickets up to the
 * second in which the search was cut off, which the next page begins with.
 */
export const walkTickets = async (
  io: ZnunyIo,
  { cursor, since, size: asked }: At,
  usualSize: number,
  parts: Parts = {},
  filterSince = changedSince,
): Promise<TicketPage> => {
  const size = Math.min(asked ?? usualSize, usualSize);
  const changed = filterSince(io, since);
  const from = typeof cursor?.from === "string" ? cursor.from : null;
  const after = typeof cursor?.after === "number" ? cursor.after : 0;
  const ofSecond =
    from === null
      ? []
      : await searchTickets(io, {
          ...changed,
          TicketCreateTimeNewerDate: from,
          TicketCreateTimeOlderDate: from,
        });
  const left = ofSecond.filter((id) => id > after).toSorted((a, b) => a - b);
  if (from !== null && left.length >= size) {
    const ids = left.slice(0, size);
    return { rows: inOrder(await getTickets(io, ids, parts)), next: { from, after: ids.at(-1) ?? after } };
  }
  const wanted = size - left.length;
  const later = await searchTickets(
    io,
    { ...changed, ...(from === null ? {} : { TicketCreateTimeNewerDate: nextSecond(from) }) },
    wanted,
  );
  const rows = inOrder(await getTickets(io, [...left, ...later], parts));
  if (later.length < wanted) return { rows, next: null };
  const cut = rows.at(-1)?.Created;
  // All of them are gone since the search: the same cursor finds others.
  if (cut === undefined || cut === from)
    return { rows, next: from === null ? {} : { from, after: left.at(-1) ?? after } };
  return { rows: rows.filter(({ Created }) => Created !== cut), next: { from: cut, after: 0 } };
};
