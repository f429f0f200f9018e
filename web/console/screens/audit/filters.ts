import { beginningOf } from "../../app/days.ts";

const filterNames = ["target", "staff", "action", "since", "until", "all", "before"] as const;

/** Of the audit log, as in the address of the screen; `since` and `until` are days, both included. */
export type AuditFilters = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

export const auditFiltersIn = (query: URLSearchParams): AuditFilters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );

export const auditAddress = (filters: AuditFilters): string => {
  const query = new URLSearchParams();
  for (const name of filterNames) if (filters[name]) query.set(name, filters[name]);
  const text = query.toString();
  return text === "" ? "/audit" : `/audit?${text}`;
};

/** With another filter the list begins anew. */
export const withFilters = (filters: AuditFilters, change: AuditFilters): AuditFilters => {
  const { before: _, ...rest } = filters;
  return { ...rest, ...change };
};

/** The API's address of a page. */
export const auditPath = ({ all, since, until, ...rest }: AuditFilters): string => {
  const query = new URLSearchParams({ limit: "50", ...rest });
  if (all !== "true") query.set("changes", "true");
  if (since !== undefined) query.set("since", beginningOf(since));
  if (until !== undefined) query.set("until", beginningOf(until, 1));
  return `/audit?${query.toString()}`;
};
