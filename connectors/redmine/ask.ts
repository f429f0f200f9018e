import { ConnectorError, type HttpRequest, isConnectorError, type QueryValue } from "@portage/connector-kit";
import { z, type ZodType } from "zod";
import type { RedmineIo } from "./settings.ts";

type Query = Readonly<Record<string, QueryValue>>;

/** Redmine does not show something that may exist, as in an archived project or one with that module switched off. */
export const isForbidden = (error: unknown): boolean => isConnectorError(error) && error.status === 403;

/** Redmine refuses this request, and nothing came of it. */
export const isRefusal = (error: unknown): boolean =>
  isConnectorError(error) && error.recovery === "skip-record";

/** One object; null if it no longer exists. Throws if Redmine does not show it. */
export const askOne = async <T>(
  io: RedmineIo,
  url: string,
  name: string,
  schema: ZodType<T>,
  query: Query = {},
): Promise<T | null> => {
  const answer = await io.http.send({ url, query, accept: [404] });
  if (answer.status === 404) return null;
  return answer.json(z.object({ [name]: schema }))[name] as T;
};

export interface Listed<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** One page of a list. Throws if Redmine does not show it. */
export const askList = async <T>(
  io: RedmineIo,
  url: string,
  name: string,
  schema: ZodType<T>,
  query: Query = {},
): Promise<Listed<T>> => {
  const answer = await io.http.send({ url, query });
  const shape = z.object({ [name]: z.array(schema), total_count: z.number().optional() });
  const body = answer.json(shape);
  const rows = body[name] as readonly T[];
  return { rows, total: (body.total_count as number | undefined) ?? rows.length };
};

/** All pages of a list that is always short. */
export const askWholeList = async <T extends { readonly id: number }>(
  io: RedmineIo,
  url: string,
  name: string,
  schema: ZodType<T>,
): Promise<readonly T[]> => {
  const all = new Map<number, T>();
  for (let offset = 0; ; offset += 100) {
    const { rows, total } = await askList(io, url, name, schema, { offset, limit: 100 });
    for (const row of rows) all.set(row.id, row);
    if (rows.length === 0 || offset + rows.length >= total) return [...all.values()];
  }
};

/** The user to send a request as: an administrator can act as any user who can sign in. */
export const asUser = (login: string | null): Pick<HttpRequest, "headers"> =>
  login === null ? {} : { headers: { "x-redmine-switch-user": login } };

const errorList = z.object({ errors: z.array(z.string()) });

/** Redmine's message about a record that it did not accept. */
export const refusal = (text: string, status: number): string => {
  try {
    return errorList.parse(JSON.parse(text)).errors.join("; ").slice(0, 500);
  } catch {
    return `Redmine did not accept the record (${status}).`;
  }
};

/** A write. When Redmine refuses this one record, it throws a ConnectorError with Redmine's message. */
export const send = async (io: RedmineIo, request: HttpRequest) => {
  const answer = await io.http.send({ ...request, accept: [403, 404, 412, 422, ...(request.accept ?? [])] });
  if (answer.status < 300 || request.accept?.includes(answer.status)) return answer;
  throw new ConnectorError({
    recovery: "skip-record",
    code: answer.status === 422 ? "rejected" : answer.status === 404 ? "not_found" : "forbidden",
    message: refusal(answer.text, answer.status),
    status: answer.status,
  });
};
