import * as kit from "@portage/connector-kit";
import { inChunks, isNumericId, isRefusal, type QueryValue, recover, refusing } from "@portage/connector-kit";
import { z, type ZodType } from "zod";
import type { RtIo } from "./settings.ts";

export const rest = (path: string) => `REST/2.0/${path}`;

/** A condition for lists that take a JSON query. RT ignores a condition on a field that it does not know. */
export interface Limit {
  readonly field: string;
  readonly operator?: string;
  readonly value: string | number;
}

export interface Question<T> {
  readonly path: string;
  readonly row: ZodType<T>;
  readonly fields: readonly string[];
  /** Of people and other records inside a row: `Owner: ["id", "RealName"]`. */
  readonly nested?: Readonly<Record<string, readonly string[]>>;
  /** TicketSQL or TransactionSQL. */
  readonly sql?: string;
  readonly limits?: readonly Limit[];
  readonly page?: number;
  readonly size?: number;
  readonly disabledToo?: boolean;
}

/** Conditions on the same field are combined with OR; conditions on different fields with AND. */
const jsonLimits = (limits: readonly Limit[]) =>
  limits.map((limit, index) =>
    limits.slice(0, index).some(({ field }) => field === limit.field)
      ? { ...limit, entry_aggregator: "OR" }
      : limit,
  );

/** One page of a list, always ordered by id: RT's default order differs from list to list. */
export const askList = async <T>(
  io: RtIo,
  question: Question<T>,
): Promise<{ readonly rows: readonly T[]; readonly total: number | null }> => {
  const { path, row, fields, nested = {}, sql, limits, page = 1, size = 100, disabledToo } = question;
  const query: Record<string, QueryValue> = {
    per_page: size,
    page,
    orderby: "id",
    order: "ASC",
    fields: fields.join(","),
    find_disabled_rows: disabledToo ? 1 : null,
    query: sql ?? null,
  };
  for (const [name, inner] of Object.entries(nested)) query[`fields[${name}]`] = inner.join(",");
  const answer = await io.http.send({
    url: rest(path),
    query,
    // By POST, since a long list of ids does not fit into a URL.
    ...(limits ? { method: "POST" as const, json: jsonLimits(limits), reads: true } : {}),
  });
  const body = answer.json(z.object({ items: z.array(row), total: z.number().nullish() }));
  // Null when this account can't see all rows.
  return { rows: body.items, total: body.total ?? null };
};

/** All pages of a list that is always short, or that the caller restricts to a few ids. */
export const askWholeList = <T extends { readonly id: string | number }>(
  io: RtIo,
  question: Question<T>,
): Promise<readonly T[]> => {
  const { size = 100 } = question;
  return kit.askWholeList(size, async ({ page }) => ({
    rows: (await askList(io, { ...question, page, size })).rows,
  }));
};

/** The rows of a list by a field: as many calls as its URL or RT's patience need. */
export const askByField = async <T extends { readonly id: string | number }>(
  io: RtIo,
  question: Question<T>,
  field: string,
  values: readonly number[],
): Promise<readonly T[]> => {
  const lists = inChunks([...new Set(values)], 50).map((some) =>
    askWholeList(io, { ...question, limits: some.map((value) => ({ field, value })) }),
  );
  return (await Promise.all(lists)).flat();
};

/** The same for lists that take TicketSQL or TransactionSQL; `sql` restricts them further. */
export const askBySql = async <T extends { readonly id: string | number }>(
  io: RtIo,
  { sql, ...question }: Question<T>,
  field: string,
  values: readonly (string | number)[],
  atMost = 50,
): Promise<readonly T[]> => {
  const lists = inChunks([...new Set(values)], atMost).map((some) =>
    askWholeList(io, { ...question, sql: `${sql ? `${sql} AND ` : ""}${anyOf(field, some)}` }),
  );
  return (await Promise.all(lists)).flat();
};

/** Whether any ticket fits TicketSQL. RT leaves deleted ones out. */
export const anyTicket = async (io: RtIo, sql: string): Promise<boolean> => {
  const question = { path: "tickets", row: z.object({ id: z.unknown() }), fields: ["id"], size: 1, sql };
  return (await askList(io, question)).rows.length > 0;
};

/** One object; null when RT has no such object. */
export const askOne = <T>(io: RtIo, path: string, row: ZodType<T>): Promise<T | null> =>
  kit.askOne(io, { url: rest(path) }, row);

const send = refusing({
  tool: "Request Tracker",
  statuses: [400, 403, 404, 409, 422],
  message: z.object({ message: z.string() }).transform(({ message }) => message),
});

/** A write. When RT refuses this one record, it throws a ConnectorError with RT's message. */
export const tell = async <T = unknown>(
  io: RtIo,
  method: "POST" | "PUT" | "DELETE",
  path: string,
  json?: unknown,
  row: ZodType<T> = z.unknown() as ZodType<T>,
): Promise<T> => {
  const answer = await send(io, { url: rest(path), method, ...(json === undefined ? {} : { json }) });
  return answer.status === 204 ? (undefined as T) : answer.json(row);
};

/** A change of a record that is written already. Returns whether RT takes it: a refusal must not fail the record. */
export const tryToTell = (io: RtIo, path: string, json: unknown): Promise<boolean> =>
  recover(
    tell(io, "PUT", path, json).then(() => true),
    isRefusal,
    () => false,
  );

/** For TicketSQL and TransactionSQL. */
export const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

export const anyOf = (field: string, values: readonly (string | number)[]) =>
  `(${values.map((value) => `${field} = ${typeof value === "number" ? value : quoted(value)}`).join(" OR ")})`;

/** Only the ids that RT could have issued: ids of other tools can have any form. */
export const numericIds = (ids: readonly string[]): readonly number[] =>
  [...new Set(ids)].filter(isNumericId).map(Number);
