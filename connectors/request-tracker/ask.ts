import { ConnectorError, isConnectorError, type QueryValue } from "@portage/connector-kit";
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

export interface Listed<T> {
  readonly rows: readonly T[];
  /** Null when this account can't see all rows. */
  readonly total: number | null;
}

/** Conditions on the same field are combined with OR; conditions on different fields with AND. */
const jsonLimits = (limits: readonly Limit[]) =>
  limits.map((limit, index) =>
    limits.slice(0, index).some(({ field }) => field === limit.field)
      ? { ...limit, entry_aggregator: "OR" }
      : limit,
  );

/** One page of a list, always ordered by id: RT's default order differs from list to list. */
export const askList = async <T>(io: RtIo, question: Question<T>): Promise<Listed<T>> => {
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
  return { rows: body.items, total: body.total ?? null };
};

/** All pages of a list that is always short, or that the caller restricts to a few ids. */
export const askWholeList = async <T>(io: RtIo, question: Question<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  const size = question.size ?? 100;
  for (let page = 1; ; page += 1) {
    const { rows } = await askList(io, { ...question, page, size });
    all.push(...rows);
    if (rows.length < size) return all;
  }
};

/** One object; null when RT has no such object. */
export const askOne = async <T>(io: RtIo, path: string, row: ZodType<T>): Promise<T | null> => {
  const answer = await io.http.send({ url: rest(path), accept: [404] });
  return answer.status === 404 ? null : answer.json(row);
};

const refusal = (text: string): string => {
  try {
    return z.object({ message: z.string() }).parse(JSON.parse(text)).message.slice(0, 500);
  } catch {
    return "Request Tracker did not accept it.";
  }
};

/** A write. When RT refuses this one record, it throws a ConnectorError with RT's message. */
export const tell = async <T>(
  io: RtIo,
  method: "POST" | "PUT" | "DELETE",
  path: string,
  json: unknown,
  row: ZodType<T>,
): Promise<T> => {
  const answer = await io.http.send({
    url: rest(path),
    method,
    ...(json === undefined ? {} : { json }),
    accept: [400, 403, 404, 409, 422],
  });
  if (answer.status < 300) return answer.status === 204 ? (undefined as T) : answer.json(row);
  throw new ConnectorError({
    recovery: "skip-record",
    code: answer.status === 404 ? "not_found" : answer.status === 403 ? "forbidden" : "rejected",
    message: refusal(answer.text),
    status: answer.status,
  });
};

/** RT refuses this request, and nothing came of it. */
export const isRefusal = (error: unknown): error is ConnectorError =>
  isConnectorError(error) && error.recovery === "skip-record";

/** A change of a record that is written already. Returns whether RT takes it: a refusal must not fail the record. */
export const tryToTell = async (io: RtIo, path: string, json: unknown): Promise<boolean> => {
  try {
    await tell(io, "PUT", path, json, z.unknown());
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
};

/** For TicketSQL and TransactionSQL. */
export const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

export const anyOf = (field: string, values: readonly (string | number)[]) =>
  `(${values.map((value) => `${field} = ${typeof value === "number" ? value : quoted(value)}`).join(" OR ")})`;

/** Only the ids that RT could have issued: ids of other tools can have any form. */
export const numericIds = (ids: readonly string[]): readonly number[] =>
  [...new Set(ids)].filter((id) => /^[1-9]\d{0,9}$/.test(id) && Number(id) < 2 ** 31).map(Number);

export const inChunks = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
