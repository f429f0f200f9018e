import * as kit from "@portage/connector-kit";
import { hasStatus, type HttpRequest, isNumericId, type QueryValue, refusing } from "@portage/connector-kit";
import { z, type ZodType } from "zod";
import type { RedmineIo } from "./settings.ts";

type Query = Readonly<Record<string, QueryValue>>;

/** Redmine does not show something that may exist, as in an archived project or one with that module switched off. */
export const isForbidden = hasStatus(403);

/** One object; null if it no longer exists. Throws if Redmine does not show it. */
export const askOne = async <T>(
  io: RedmineIo,
  url: string,
  name: string,
  schema: ZodType<T>,
  query: Query = {},
): Promise<T | null> => {
  const body = await kit.askOne(io, { url, query }, z.object({ [name]: schema }));
  return body && (body[name] as T);
};

/** One page of a list. Throws if Redmine does not show it. */
export const askList = async <T>(
  io: RedmineIo,
  url: string,
  name: string,
  schema: ZodType<T>,
  query: Query = {},
) => {
  const answer = await io.http.send({ url, query });
  const shape = z.object({ [name]: z.array(schema), total_count: z.number().optional() });
  const body = answer.json(shape);
  const rows = body[name] as readonly T[];
  return { rows, total: (body.total_count as number | undefined) ?? rows.length };
};

/** All pages of a list that is always short. */
export const askWholeList = <T extends { readonly id: number }>(
  io: RedmineIo,
  url: string,
  name: string,
  schema: ZodType<T>,
): Promise<readonly T[]> =>
  kit.askWholeList(100, ({ offset }) => askList(io, url, name, schema, { offset, limit: 100 }));

/** The user to send a request as: an administrator can act as any user who can sign in. */
export const asUser = (login: string | null): Pick<HttpRequest, "headers"> =>
  login === null ? {} : { headers: { "x-redmine-switch-user": login } };

/** A write. When Redmine refuses this one record, it throws a ConnectorError with Redmine's message. */
export const send = refusing({
  tool: "Redmine",
  statuses: [403, 404, 412, 422],
  message: z.object({ errors: z.array(z.string()) }).transform(({ errors }) => errors.join("; ")),
});

/** A kind of object: Redmine's API treats all of them alike. */
export const table = <R>(path: string, name: string, row: ZodType<R>) => ({
  one: (io: RedmineIo, id: string | number, query: Query = {}): Promise<R | null> =>
    isNumericId(String(id)) ? askOne(io, `${path}/${id}.json`, name, row, query) : Promise.resolve(null),
  list: (io: RedmineIo, query: Query) => askList(io, `${path}.json`, path, row, query),
  create: async (io: RedmineIo, fields: unknown, request: Partial<HttpRequest> = {}): Promise<R> => {
    const json = { [name]: fields };
    const answer = await send(io, { url: `${path}.json`, method: "POST", json, ...request });
    return answer.json(z.object({ [name]: row }))[name] as R;
  },
  change: (io: RedmineIo, id: string | number, fields: unknown, request: Partial<HttpRequest> = {}) =>
    send(io, { url: `${path}/${id}.json`, method: "PUT", json: { [name]: fields }, ...request }),
  remove: (io: RedmineIo, id: string | number, request: Partial<HttpRequest> = {}) =>
    send(io, { url: `${path}/${id}.json`, method: "DELETE", accept: [404], ...request }),
});
