import { beginningOf } from "../../app/days.ts";

/** The filters of the list; their names are those of the API, and of the address. */
const filterNames = [
  "text",
  "status",
  "partner",
  "tool",
  "family",
  "stuck",
  "waits_for",
  "running",
  "closed",
  "reference",
  "created_since",
  "created_until",
  "before",
] as const;
type FilterName = (typeof filterNames)[number];

export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** The filters in an address; anything else in it is ignored. */
export const filtersIn = (query: URLSearchParams): Filters =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );

const toQuery = (filters: Filters): string => {
  const query = new URLSearchParams();
  for (const name of filterNames) if (filters[name]) query.set(name, filters[name]);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
};

/** In the console: the period has days, both included. */
export const listAddress = (filters: Filters): string => `/imports${toQuery(filters)}`;

const perPage = "50";

/** In the API, whose period has moments. */
export const listPath = (filters: Filters): string => {
  const { created_since: since, created_until: until, ...rest } = filters;
  const query = new URLSearchParams(toQuery(rest));
  if (since) query.set("created_since", beginningOf(since));
  if (until) query.set("created_until", beginningOf(until, 1));
  query.set("limit", perPage);
  return `/imports?${query.toString()}`;
};

/** With another filter the list begins anew. */
export const changed = (filters: Filters, change: Filters): Filters => {
  const { before: _, ...rest } = filters;
  return { ...rest, ...change };
};

/** Lists that people open often. */
export const views = {
  all: {},
  stuck: { stuck: "true" },
  running: { running: "true" },
  customer: { waits_for: "customer" },
  partner: { waits_for: "partner" },
  closed: { closed: "true" },
} as const satisfies Readonly<Record<string, Filters>>;
export type ViewName = keyof typeof views;

const viewFilters = ["stuck", "waits_for", "running", "closed"] as const;

/** The view that the filters are; the others narrow it down. */
export const viewOf = (filters: Filters): ViewName | null => {
  const found = Object.entries(views).find(([, view]: [string, Filters]) =>
    viewFilters.every((name) => filters[name] === view[name]),
  );
  return found ? (found[0] as ViewName) : null;
};

/** The same narrowing in another view. */
export const inView = (filters: Filters, view: ViewName): Filters => {
  const { stuck: _, waits_for: __, running: ___, closed: ____, ...rest } = changed(filters, {});
  return { ...rest, ...views[view] };
};
