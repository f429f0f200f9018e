import { eachById, skipRecord } from "@portage/connector-kit";
import { accountOf } from "./catalog.ts";
import type { RedmineIo } from "./settings.ts";

/** What all copies in Redmine have in common: late writes are likely, so a write first looks for its key. */
export const everyCopy = { ready: accountOf, looksFirst: true } as const;

/** The same for rows with a number as id that Redmine shows one by one. */
export const copiesOf = <R extends { readonly id: number }>(rows: {
  one(io: RedmineIo, id: string): Promise<R | null>;
}) => ({
  ...everyCopy,
  id: ({ id }: R): string => String(id),
  byIds: eachById((io: RedmineIo, id: string) => rows.one(io, id)),
});

/** The row after a change. */
export const stillThere = async <R>(row: Promise<R | null>): Promise<R> => {
  const found = await row;
  if (found === null) throw skipRecord("not_found", "The record is gone.");
  return found;
};
