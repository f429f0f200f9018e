import type { DateRange } from "@portage/connector-kit";

/** Redmine's filters take whole seconds: the first one at or after a moment. */
const secondFrom = (moment: string) => Math.ceil(Date.parse(moment) / 1000) * 1000;

const spelled = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** A date range as Redmine's filters. Their bounds are inclusive, so an exclusive end becomes the second before it. */
export const rangeQuery = ({
  createdFrom,
  createdBefore,
  changedFrom,
}: DateRange): Record<string, string> => {
  const from = createdFrom === null ? null : spelled(secondFrom(createdFrom));
  const until = createdBefore === null ? null : spelled(secondFrom(createdBefore) - 1000);
  const created =
    from !== null && until !== null
      ? `><${from}|${until}`
      : from !== null
        ? `>=${from}`
        : until && `<=${until}`;
  return {
    ...(created === null ? {} : { created_on: created }),
    ...(changedFrom === null ? {} : { updated_on: `>=${spelled(secondFrom(changedFrom))}` }),
  };
};
