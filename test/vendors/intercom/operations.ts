import { randomUUID } from "node:crypto";
import { unixSeconds, type VendorClock } from "../kit/clock.ts";
import type { Breaches } from "../kit/laws.ts";
import { pageOf, readCursor, type Row, writeCursor } from "../kit/table.ts";
import { textOf } from "../kit/text-of.ts";
import { Refusal, type VendorAnswer, type VendorCall } from "../kit/vendor-server.ts";
import type { intercomLaws } from "./laws.ts";
import { idOfHex, type IntercomTables } from "./tables.ts";

export interface IntercomNeeds {
  readonly clock: VendorClock;
  readonly tables: IntercomTables;
  readonly breaches: Breaches<typeof intercomLaws>;
  readonly callerId: () => number;
}

interface Filter {
  readonly field?: string;
  readonly operator?: string;
  readonly value?: unknown;
}

interface SearchBody {
  readonly query?: Filter;
  readonly pagination?: { readonly per_page?: number; readonly starting_after?: string } | null;
}

const scrollIdleMs = 60_000;
const largestPage = 150;

export const intercomError = (status: number, code: string, message: string): VendorAnswer => ({
  status,
  body: { type: "error.list", request_id: randomUUID(), errors: [{ code, message }] },
});

const refuse = (status: number, code: string, message: string) =>
  new Refusal(status, intercomError(status, code, message).body);

/** Whether a value of a row is as a filter asks; both may be numbers or texts. */
const compare = (operator: string, value: unknown, wanted: unknown): boolean => {
  const list = new Set([wanted].flat().map((each) => textOf(each)));
  if (operator === "=" || operator === "IN") return list.has(textOf(value));
  if (operator === "!=" || operator === "NIN") return !list.has(textOf(value));
  if (operator === "~") return textOf(value).toLowerCase().includes(textOf(wanted).toLowerCase());
  const [left, right] = [Number(value), Number(wanted)];
  return (
    { ">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right }[operator] ?? false
  );
};

/** The API's operations, on top of the tables. */
export const intercomOperations = ({ clock, tables, breaches, callerId }: IntercomNeeds) => {
  const { admins, teams, companies, contacts, conversations, tickets, articles } = tables;
  let scroll: { readonly param: string; readonly after: number; readonly usedAt: number } | null = null;
  const live = <T extends object>(table: { get(id: number): Row<T> | undefined }, id: number): Row<T> => {
    const row = table.get(id);
    if (!row || row.deletedAt !== null) throw refuse(404, "not_found", "Resource Not Found");
    return row;
  };
  const sizeIn = (call: VendorCall, given: unknown, otherwise: number) => {
    const size = Number(given ?? otherwise);
    if (size <= largestPage) return size;
    breaches.record("page-size", call.operation, `per_page=${size}`);
    throw refuse(400, "parameter_invalid", "Per Page is too big");
  };

  /** The last changed come first; a cursor goes on behind a moment and an id. */
  const page = <T extends object>(
    rows: readonly Row<T>[],
    size: number,
    cursor: string | undefined,
    wire: (row: Row<T>) => object,
  ) => {
    const after = cursor === undefined ? null : readCursor(cursor);
    if (cursor !== undefined && !after) throw refuse(400, "parameter_invalid", "starting_after is invalid");
    const rest = rows
      .toSorted((a, b) => b.updatedAt - a.updatedAt || b.id - a.id)
      .filter(
        ({ updatedAt, id }) => !after || updatedAt < after.at || (updatedAt === after.at && id < after.id),
      );
    const shown = rest.slice(0, size);
    const last = shown.at(-1);
    const more = rest.length > size && last;
    return {
      items: shown.map(wire),
      total_count: rows.length,
      pages: {
        type: "pages",
        page: 1,
        per_page: size,
        total_pages: Math.ceil(rows.length / size),
        ...(more && {
          next: { per_page: size, starting_after: writeCursor({ at: last.updatedAt, id: last.id }) },
        }),
      },
    };
  };
  const listOf = <T extends object>(
    call: VendorCall,
    rows: readonly Row<T>[],
    wire: (row: Row<T>) => object,
    {
      name = "data",
      type = "list",
      size = 50,
    }: { readonly name?: string; readonly type?: string; readonly size?: number } = {},
  ): VendorAnswer => {
    const cursor = call.query["starting_after"];
    const { items, ...more } = page(
      rows,
      sizeIn(call, call.query["per_page"], size),
      cursor === undefined ? undefined : textOf(cursor),
      wire,
    );
    return { status: 200, body: { type, [name]: items, ...more } };
  };

  const countFilters = (
    filter: Filter,
    level: number,
  ): { readonly most: number; readonly levels: number } => {
    if (filter.operator !== "AND" && filter.operator !== "OR") return { most: 1, levels: level };
    const parts = (filter.value as readonly Filter[]).map((part) => countFilters(part, level + 1));
    return {
      most: Math.max(parts.length, ...parts.map(({ most }) => most)),
      levels: Math.max(level, ...parts.map(({ levels }) => levels)),
    };
  };
  const fits = (filter: Filter, wire: Readonly<Record<string, unknown>>): boolean => {
    const { field = "", operator = "=", value } = filter;
    if (operator === "AND") return (value as readonly Filter[]).every((part) => fits(part, wire));
    if (operator === "OR") return (value as readonly Filter[]).some((part) => fits(part, wire));
    const [first = "", second] = field.split(".");
    const found =
      second === undefined ? wire[first] : (wire[first] as Record<string, unknown> | undefined)?.[second];
    return compare(operator, found, value);
  };
  const checkMoments = (operation: string, filter: Filter) => {
    if (Array.isArray(filter.value) && (filter.operator === "AND" || filter.operator === "OR"))
      for (const part of filter.value as readonly Filter[]) checkMoments(operation, part);
    // A number of milliseconds is a moment in the far future.
    else if (filter.field?.endsWith("_at") && Number(filter.value) > unixSeconds(clock.now()) * 100)
      breaches.record("unix-seconds", operation, `${filter.field} ${textOf(filter.value)}`);
  };
  const search = <T extends object>(
    call: VendorCall,
    rows: readonly Row<T>[],
    wire: (row: Row<T>) => object,
    { name, type }: { readonly name: string; readonly type: string },
  ): VendorAnswer => {
    const { query = {}, pagination } = (call.body.value ?? {}) as SearchBody;
    const { most, levels } = countFilters(query, 0);
    if (most > 15 || levels > 2) {
      breaches.record("few-filters", call.operation, `${most} filters, ${levels} levels`);
      throw refuse(400, "parameter_invalid", "Too many filters");
    }
    checkMoments(call.operation, query);
    const found = rows.filter((row) => fits(query, wire(row) as Record<string, unknown>));
    const { items, ...more } = page(
      found,
      sizeIn(call, pagination?.per_page, 50),
      pagination?.starting_after,
      wire,
    );
    return { status: 200, body: { type, [name]: items, ...more } };
  };

  const shownCompanies = () =>
    companies.live().filter(({ id }) => contacts.live().some(({ data }) => data.companies.includes(id)));
  const scrollCompanies = (call: VendorCall): VendorAnswer => {
    const given = call.query["scroll_param"];
    const now = clock.now();
    const alive = scroll && now - scroll.usedAt <= scrollIdleMs ? scroll : null;
    if (given === undefined && alive) {
      breaches.record("one-scroll", call.operation, "a scroll is open");
      throw refuse(400, "scroll_exists", "scroll already exists for this workspace");
    }
    if (given !== undefined && (!alive || alive.param !== given)) {
      breaches.record("scroll-does-not-resume", call.operation, textOf(given));
      throw refuse(404, "not_found", "scroll parameter not found");
    }
    const after = given === undefined ? 0 : (alive?.after ?? 0);
    const rows = shownCompanies()
      .filter(({ id }) => id > after)
      .slice(0, 100);
    const param = alive?.param ?? randomUUID();
    // An empty page ends it.
    scroll = rows.length === 0 ? null : { param, after: rows.at(-1)?.id ?? after, usedAt: now };
    return {
      status: 200,
      body: {
        type: "list",
        data: rows.map(tables.companyWire),
        pages: null,
        total_count: null,
        scroll_param: param,
      },
    };
  };

  const handlers: Record<string, (call: VendorCall) => VendorAnswer> = {
    "GET /me": () => ({
      status: 200,
      body: {
        ...tables.adminWire(live(admins, callerId())),
        app: {
          type: "app",
          id_code: "acme",
          name: "Acme",
          region: "US",
          timezone: "UTC",
          created_at: 1_700_000_000,
          identity_verification: false,
        },
      },
    }),
    "GET /admins": () => ({
      status: 200,
      body: { type: "admin.list", admins: admins.live().map(tables.adminWire) },
    }),
    "GET /admins/{admin_id}": (call) => ({
      status: 200,
      body: tables.adminWire(live(admins, Number(call.params["admin_id"]))),
    }),
    "GET /teams": () => ({
      status: 200,
      body: { type: "team.list", teams: teams.live().map(tables.teamWire) },
    }),
    "GET /companies/scroll": scrollCompanies,
    "GET /companies/{company_id}": (call) => ({
      status: 200,
      body: tables.companyWire(live(companies, idOfHex(textOf(call.params["company_id"])))),
    }),
    "POST /companies/list": (call) => {
      const size = sizeIn(call, call.query["per_page"], 15);
      const number = Number(call.query["page"] ?? 1);
      if (number * size > 10_000) {
        breaches.record("companies-by-scroll", call.operation, `page ${number}`);
        throw refuse(400, "parameter_invalid", "page limit reached, please use scroll API");
      }
      const all = shownCompanies();
      const { rows } = pageOf(all, number, size);
      const pages = {
        type: "pages",
        page: number,
        per_page: size,
        total_pages: Math.ceil(all.length / size),
      };
      return {
        status: 200,
        body: { type: "list", data: rows.map(tables.companyWire), pages, total_count: all.length },
      };
    },
    "GET /contacts": (call) => listOf(call, contacts.live(), tables.contactWire),
    "GET /contacts/{contact_id}": (call) => ({
      status: 200,
      body: tables.contactWire(live(contacts, idOfHex(textOf(call.params["contact_id"])))),
    }),
    "POST /contacts/search": (call) =>
      search(call, contacts.live(), tables.contactWire, { name: "data", type: "list" }),
    "GET /conversations": (call) =>
      listOf(call, conversations.live(), tables.conversationItem, {
        name: "conversations",
        type: "conversation.list",
        size: 20,
      }),
    "POST /conversations/search": (call) =>
      search(call, conversations.live(), tables.conversationItem, {
        name: "conversations",
        type: "conversation.list",
      }),
    "GET /conversations/{conversation_id}": (call) => ({
      status: 200,
      body: tables.conversationWire(live(conversations, Number(call.params["conversation_id"]))),
    }),
    "GET /conversations/deleted": (call) => {
      const gone = conversations.all().filter(({ deletedAt }) => deletedAt !== null);
      const size = sizeIn(call, call.query["per_page"], 20);
      const { rows } = pageOf(gone, Number(call.query["page"] ?? 1), size);
      const shown = rows.map(({ id, deletedAt }) => ({
        id: String(id),
        deleted_at: unixSeconds(deletedAt ?? 0),
      }));
      return { status: 200, body: { type: "list", conversations: shown, total_count: gone.length } };
    },
    "POST /tickets/search": (call) =>
      search(call, tickets.live(), tables.ticketWire, { name: "tickets", type: "ticket.list" }),
    "GET /tickets/{ticket_id}": (call) => ({
      status: 200,
      body: tables.ticketWire(live(tickets, Number(call.params["ticket_id"]))),
    }),
    "GET /articles": (call) => listOf(call, articles.live(), tables.articleWire, { size: 25 }),
    "GET /articles/{article_id}": (call) => ({
      status: 200,
      body: tables.articleWire(live(articles, Number(call.params["article_id"]))),
    }),
    "GET /data_attributes": () => ({ status: 200, body: { type: "list", data: [] } }),
    "GET /ticket_types": () => ({ status: 200, body: { type: "list", data: [] } }),
    "GET /tags": () => ({ status: 200, body: { type: "list", data: [] } }),
  };
  return handlers;
};
