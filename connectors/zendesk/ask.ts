import {
  askOne,
  type HttpResponse,
  type HttpRequest,
  inChunks,
  type Pages,
  type QueryValue,
  refusing,
  skipRecord,
  tokenPager,
} from "@portage/connector-kit";
import { z, type ZodType } from "zod";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";

export const api = (path: string) => `api/v2/${path}`;

/** Lists and calls by ids have at most this many rows. */
const maxRows = 100;

export const rowsIn = <R>(answer: HttpResponse, name: string, row: ZodType<R>): readonly R[] =>
  answer.json(z.object({ [name]: z.array(row) }))[name] ?? [];

/** When a row was made and last changed. */
export const dated = { created_at: z.string().nullish(), updated_at: z.string().nullish() };

/** Zendesk's times have seconds; the families' moments have milliseconds. */
export const momentOf = (time: string | null | undefined): string | null =>
  time ? new Date(time).toISOString() : null;

export const timesOf = (row: z.infer<z.ZodObject<typeof dated>>) => ({
  createdAt: momentOf(row.created_at),
  updatedAt: momentOf(row.updated_at),
});

export interface List<R> {
  readonly path: string;
  /** Of the rows in the answer. */
  readonly name: string;
  readonly row: ZodType<R>;
  readonly query?: Readonly<Record<string, QueryValue>>;
}

const place = z.object({ meta: z.object({ has_more: z.boolean(), after_cursor: z.string().nullish() }) });

const askPage = async <R>(
  io: ZendeskIo,
  { path, name, row, query }: List<R>,
  token: string | null,
  size = maxRows,
) => {
  // By cursor: pages by number shift while rows come and go, and end after 10,000 rows.
  const paging = { "page[size]": Math.min(size, maxRows), "page[after]": token };
  const answer = await io.http.send({ url: api(path), query: { ...query, ...paging } });
  const { has_more: more, after_cursor: after } = answer.json(place).meta;
  return { rows: rowsIn(answer, name, row), next: more ? (after ?? null) : null };
};

export const pagesOf =
  <R>(list: List<R>): Pages<R, ZendeskSettings> =>
  (rows) =>
    tokenPager({ ...rows, fetch: (io, { size }, token) => askPage(io, list, token, size) });

/** All rows of a list that is short. */
export const askAll = async <R>(io: ZendeskIo, list: List<R>): Promise<readonly R[]> => {
  const all: R[] = [];
  let token: string | null = null;
  do {
    const page: { rows: readonly R[]; next: string | null } = await askPage(io, list, token);
    all.push(...page.rows);
    token = page.next;
  } while (token !== null);
  return all;
};

const numbered = z.object({ next_page: z.string().nullish() });
const maxNumbered = 100;

/** The same for a list that may have no pages by cursor, or none at all: it says when there is another one. */
export const askNumbered = async <R>(io: ZendeskIo, { path, name, row }: List<R>): Promise<readonly R[]> => {
  const all: R[] = [];
  for (let page = 1; page <= maxNumbered; page += 1) {
    const answer = await io.http.send({ url: api(path), query: { page, per_page: maxRows } });
    all.push(...rowsIn(answer, name, row));
    if (!answer.json(numbered).next_page) break;
  }
  return all;
};

/** Only ids that Zendesk could have issued: those of other tools can have any form. */
export const numericIds = (ids: readonly string[]): readonly number[] =>
  [...new Set(ids)].filter((id) => /^[1-9]\d{0,14}$/.test(id)).map(Number);

/** Rows by id, without those that are deleted. */
export const askByIds = async <R>(
  io: ZendeskIo,
  { path, name, row }: List<R>,
  ids: readonly number[],
): Promise<readonly R[]> => {
  const asked = inChunks(ids, maxRows).map(async (chunk) =>
    rowsIn(await io.http.send({ url: api(path), query: { ids: chunk.join(",") } }), name, row),
  );
  return (await Promise.all(asked)).flat();
};

/** The same by `external_id`, which holds the key of a copy. */
export const askByKeys =
  <R>({ path, name, row }: List<R>) =>
  async (io: ZendeskIo, keys: readonly string[]): Promise<readonly R[]> =>
    rowsIn(await io.http.send({ url: api(path), query: { external_ids: keys.join(",") } }), name, row);

/** The same for what Zendesk shows only one by one. */
export const askEach = async <R>(
  io: ZendeskIo,
  { path, name, row }: List<R>,
  ids: readonly string[],
): Promise<readonly R[]> => {
  const answer = z.object({ [name]: row });
  const asked = numericIds(ids).map((id) => askOne(io, { url: api(`${path}/${id}`) }, answer));
  return (await Promise.all(asked)).flatMap((each) => each?.[name] ?? []);
};

export const countOf =
  (path: string, query: Readonly<Record<string, QueryValue>> = {}) =>
  async (io: ZendeskIo) => {
    const row = z.object({ count: z.object({ value: z.number() }) });
    const { value } = (await io.http.send({ url: api(path), query })).json(row).count;
    // Zendesk refreshes large counts once a day.
    return { value, exact: false };
  };

const reason = z
  .object({ details: z.record(z.string(), z.array(z.object({ description: z.string() }))) })
  .transform(({ details }) =>
    Object.values(details)
      .flat()
      .map(({ description }) => description)
      .join(" "),
  );

/** Sends a write; Zendesk's own words say why it refuses a record. */
export const tell = refusing({ tool: "Zendesk", statuses: [422], message: reason });

/** Creates a record; null: Zendesk has one with the same name or address. */
export const createUnique = async <R>(
  io: ZendeskIo,
  { path, name, row }: List<R>,
  record: object,
): Promise<R | null> => {
  const request: HttpRequest = { url: api(path), method: "POST", json: { [name]: record } };
  const answer = await tell(io, { ...request, accept: [422] });
  if (answer.status !== 422) return answer.json(z.object({ [name]: row }))[name] ?? null;
  if (answer.text.includes("DuplicateValue")) return null;
  const { data = "Zendesk did not accept the record." } = reason.safeParse(JSON.parse(answer.text));
  throw skipRecord("rejected", data.slice(0, 500), 422);
};

/** Changes a record, and returns it as it is then. */
export const change = async <R>(
  io: ZendeskIo,
  { path, name, row }: List<R>,
  record: object,
  request: Partial<HttpRequest> = {},
): Promise<R | undefined> => {
  const answer = await tell(io, { ...request, url: api(path), method: "PUT", json: { [name]: record } });
  return answer.json(z.object({ [name]: row }))[name];
};
