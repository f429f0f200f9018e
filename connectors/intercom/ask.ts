import {
  askOne,
  ConnectorError,
  type HttpRequest,
  inChunks,
  isConnectorError,
  loadTogether,
  newestFirstPager,
  once,
  outcomeUnknown,
  type Pages,
  toPage,
} from "@portage/connector-kit";
import { z, type ZodType } from "zod";
import {
  adminRow,
  attributeRow,
  type Author,
  type Company,
  companyRow,
  contactRow,
  conversationRow,
  teamRow,
  ticketRow,
  ticketTypeRow,
} from "./rows.ts";
import type { IntercomIo, Settings } from "./settings.ts";

/** The most rows of a page. */
const pageSize = 150;

/** Without a version the workspace's own decides what answers look like. */
export const api = (url: string, more: Omit<HttpRequest, "url" | "headers"> = {}): HttpRequest => ({
  url,
  headers: { "intercom-version": "2.16" },
  ...more,
});

interface List<R> {
  readonly url: string;
  /** Of the rows in the answer. */
  readonly name: string;
  readonly row: ZodType<R>;
}

const paging = z.object({
  total_count: z.number().nullish(),
  pages: z.object({ next: z.object({ starting_after: z.string().nullish() }).nullish() }).nullish(),
});

const askPage = async <R>(io: IntercomIo, { name, row }: Omit<List<R>, "url">, request: HttpRequest) => {
  const answer = await io.http.send(request);
  const { pages, total_count: total = null } = answer.json(paging);
  const rows: readonly R[] = answer.json(z.object({ [name]: z.array(row) }))[name] ?? [];
  return { rows, next: pages?.next?.starting_after ?? null, total };
};

export const askAll = async <R>(io: IntercomIo, list: List<R>): Promise<readonly R[]> =>
  (await askPage(io, list, api(list.url))).rows;

interface Filter {
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
}

/** One page of a search, which is a read by POST. */
const search = <R>(io: IntercomIo, list: List<R>, filters: readonly Filter[], size: number, token?: string) =>
  askPage(
    io,
    list,
    api(`${list.url}/search`, {
      method: "POST",
      reads: true,
      json: {
        query: { operator: "AND", value: filters },
        pagination: { per_page: size, ...(token === undefined ? {} : { starting_after: token }) },
      },
    }),
  );

const changed = (operator: string, value: number): Filter => ({ field: "updated_at", operator, value });

export const contactList = { url: "contacts", name: "data", row: contactRow };
export const conversationList = { url: "conversations", name: "conversations", row: conversationRow };
export const ticketList = { url: "tickets", name: "tickets", row: ticketRow };

type Dated = { readonly id: string; readonly updated_at?: number | null | undefined };

/** What a search finds, the last changed first. Bounds are exclusive. */
export const searched =
  <R extends Dated>(list: List<R>): Pages<R, Settings> =>
  (rows) =>
    newestFirstPager({
      ...rows,
      size: pageSize,
      changedAt: (row) => row.updated_at ?? 0,
      fetch: (io, { from, until, token, size }) =>
        search(
          io,
          list,
          [changed(">", (from ?? 1) - 1), ...(until === null ? [] : [changed("<", until + 1)])],
          size,
          token ?? undefined,
        ),
    });

/** A list without a filter, the last changed first: older rows end it. */
export const listedByChange =
  <R extends Dated>(list: List<R>): Pages<R, Settings> =>
  (rows) =>
    newestFirstPager({
      ...rows,
      size: pageSize,
      changedAt: (row) => row.updated_at ?? 0,
      async fetch(io, { from, token, size }) {
        const page = await askPage(
          io,
          list,
          api(list.url, { query: { per_page: size, starting_after: token } }),
        );
        const wanted = page.rows.filter((row) => (row.updated_at ?? 0) >= (from ?? 0));
        return { rows: wanted, next: wanted.length < page.rows.length ? null : page.next };
      },
    });

export const countOf =
  (...lists: readonly List<unknown>[]) =>
  async (io: IntercomIo) => {
    const pages = await Promise.all(lists.map((list) => search(io, list, [changed(">", 0)], 1)));
    // A search index may be behind.
    return { value: pages.reduce((sum, { total }) => sum + (total ?? 0), 0), exact: false };
  };

/** One row by its id; null if there is none, or if no id of Intercom has this form. */
export const askById =
  <R>(url: string, row: ZodType<R>, form = /^[1-9]\d{0,19}$/) =>
  async (io: IntercomIo, id: string): Promise<R | null> =>
    form.test(id) ? askOne(io, api(`${url}/${id}`), row) : null;

export const hexId = /^[0-9a-f]{24}$/;

export const askAdmins = once((io: IntercomIo) =>
  askAll(io, { url: "admins", name: "admins", row: adminRow }),
);
export const askTeams = once((io: IntercomIo) => askAll(io, { url: "teams", name: "teams", row: teamRow }));

export const isAdmin = async (io: IntercomIo, id: number | string): Promise<boolean> =>
  (await askAdmins(io)).some((admin) => admin.id === String(id));

const isContact = loadTogether(async (io: IntercomIo, ids: readonly string[]) => {
  const found = await Promise.all(
    inChunks(ids, pageSize).map((value) =>
      search(io, contactList, [{ field: "id", operator: "IN", value }], pageSize),
    ),
  );
  return new Map(found.flatMap(({ rows }) => rows).map(({ id }) => [id, true]));
});

const streams: Readonly<Record<string, "users" | "contacts">> = {
  admin: "users",
  user: "contacts",
  lead: "contacts",
  contact: "contacts",
};

/** Intercom still names authors who are gone, by an id without a name: so only these cost a look. */
export const whoOf = async (io: IntercomIo, author: Author | null | undefined) => {
  const { type, id, name = null, email = null } = author ?? {};
  const isNameless = name === null && email === null;
  const stream = streams[type ?? ""];
  if (!stream || !id) return isNameless ? null : { stream: null, id: null, name, email };
  if (isNameless && !(await (stream === "users" ? isAdmin : isContact)(io, id))) return null;
  return { stream, id, name, email };
};

export const askTagNames = once(async (io: IntercomIo) => {
  const tags = await askAll(io, {
    url: "tags",
    name: "data",
    row: z.object({ id: z.string(), name: z.string() }),
  });
  return new Map(tags.map(({ id, name }) => [id, name]));
});

export const askAttributes = once(async (io: IntercomIo, model: "contact" | "company") => {
  const list = { url: "data_attributes", name: "data", row: attributeRow };
  const { rows } = await askPage(io, list, api(list.url, { query: { model } }));
  return rows.filter(({ custom }) => custom === true);
});

export const askTicketAttributes = once(async (io: IntercomIo) => {
  const types = await askAll(io, { url: "ticket_types", name: "data", row: ticketTypeRow });
  const all = types.flatMap((type) => type.ticket_type_attributes?.ticket_type_attributes ?? []);
  return all.filter((attribute) => attribute.default !== true);
});

/** The attributes of a conversation are in no list: those of the last changed ones tell. */
export const askSeenAttributes = once(async (io: IntercomIo) => {
  const [conversations, tickets] = await Promise.all([
    search(io, conversationList, [changed(">", 0)], pageSize),
    search(io, ticketList, [changed(">", 0)], pageSize),
  ]);
  return [
    ...conversations.rows.map((row) => row.custom_attributes ?? {}),
    ...tickets.rows.map((row) => row.ticket_attributes ?? {}),
  ];
});

const maxCompanies = 5_000;

const scrolled = z.object({ data: z.array(companyRow), scroll_param: z.string().nullish() });

/** All companies. A scroll can't be asked for a page again, so it ends in the step that began it, and no call is repeated. */
async function* scrollCompanies(io: IntercomIo): AsyncGenerator<readonly Company[]> {
  let param: string | null = null;
  for (;;) {
    const request: HttpRequest = api("companies/scroll", {
      query: { scroll_param: param },
      idempotent: param === null,
    });
    const answer = await io.http.send(request).catch((error: unknown) => {
      const isLost = isConnectorError(error) && (error.code === outcomeUnknown || error.status === 404);
      if (param === null || !isLost) throw error;
      const message = "Intercom broke its list of companies off; it has to begin again.";
      throw new ConnectorError({
        recovery: "retry",
        code: "unreachable",
        message,
        retryAfterMs: scrollIdleMs,
      });
    });
    const { data, scroll_param: next } = answer.json(scrolled);
    if (data.length === 0) return;
    yield data;
    if (!next) return;
    param = next;
  }
}

/** A scroll that was left open ends by itself after this time. */
export const scrollIdleMs = 60_000;

const byKey = (a: Company, b: Company) => (a.id < b.id ? -1 : 1);

/** In the order of their ids, so that a page can be read again: a whole scroll for each 5,000. */
export const companyPages: Pages<Company, Settings> = (rows) => async (io, at) => {
  const size = Math.min(at.size ?? maxCompanies, maxCompanies);
  const after = String(at.cursor?.after ?? "");
  let found: Company[] = [];
  for await (const some of scrollCompanies(io)) {
    found.push(...some.filter(({ id }) => id > after));
    if (found.length > 2 * size) found = found.toSorted(byKey).slice(0, size + 1);
  }
  const all = found.toSorted(byKey);
  const page = all.slice(0, size);
  const last = page.at(-1);
  return toPage(rows, io, page, all.length > size && last ? { after: last.id } : null);
};
