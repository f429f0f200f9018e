import {
  askOne,
  type HttpRequest,
  type HttpResponse,
  nextLink,
  once,
  type Who,
} from "@portage/connector-kit";
import { z, type ZodType } from "zod";
import {
  agentRow,
  contactRow,
  conversationRow,
  type Conversation,
  fieldRow,
  folderRow,
  namedRow,
  type Ticket,
  ticketRow,
} from "./rows.ts";
import type { FreshdeskIo } from "./settings.ts";

/** Lists that have a limit of their own. */
export const listClass = (url: string): Pick<HttpRequest, "class"> =>
  url === "tickets" || url === "contacts" ? { class: `${url.slice(0, -1)}-list` } : {};

/** The most that a page can have. */
export const pageSize = 100;

/** All pages of a list, by the links between them; null: there is no such list. */
const askPages = async <R>(
  io: FreshdeskIo,
  first: HttpRequest,
  row: ZodType<R>,
): Promise<readonly R[] | null> => {
  const rows: R[] = [];
  for (let request: HttpRequest | null = first; request !== null; ) {
    const answer: HttpResponse = await io.http.send({ ...request, accept: [404] });
    if (answer.status === 404) return null;
    rows.push(...answer.json(z.array(row)));
    const next = nextLink(answer.headers);
    request = next === null ? null : { url: next, ...listClass(first.url) };
  }
  return rows;
};

/** A list of the knowledge base, which takes no size of a page. */
export const askList = async <R>(io: FreshdeskIo, url: string, row: ZodType<R>): Promise<readonly R[]> =>
  (await askPages(io, { url }, row)) ?? [];

/** A ticket with its files. Archived ones have an address of their own; deleted ones and spam are not moved. */
export const askTicket = once(async (io: FreshdeskIo, id: string): Promise<Ticket | null> => {
  const found =
    (await askOne(io, { url: `tickets/${id}` }, ticketRow)) ??
    (await askOne(io, { url: `tickets/archived/${id}` }, ticketRow));
  return found === null || found.deleted === true || found.spam === true ? null : found;
});

/** All that was said on a ticket, the first message apart. */
export const askConversations = once(
  async (io: FreshdeskIo, ticketId: string): Promise<readonly Conversation[]> => {
    const listAt = (url: string) => askPages(io, { url, query: { per_page: pageSize } }, conversationRow);
    const rows =
      (await listAt(`tickets/${ticketId}/conversations`)) ??
      (await listAt(`tickets/archived/${ticketId}/conversations`)) ??
      [];
    return rows.map((row) => ({ ...row, ticketId }));
  },
);

/** Agents and contacts share their ids. */
export const askAgents = once((io: FreshdeskIo) => askWhole(io, "agents", {}, agentRow));

const askAgentIds = once(async (io: FreshdeskIo) => new Set((await askAgents(io)).map(({ id }) => id)));

/** Whose key it is. */
export const askMe = once(async (io: FreshdeskIo) =>
  (await io.http.send({ url: "agents/me" })).json(agentRow),
);

/** Who is still named in tickets, and in no list. */
const askDeletedContacts = once(
  async (io: FreshdeskIo) =>
    new Map((await askWhole(io, "contacts", { state: "deleted" }, contactRow)).map((row) => [row.id, row])),
);

/** A list with all of its pages. */
export const askWhole = async <R>(io: FreshdeskIo, url: string, query: object, row: ZodType<R>) =>
  (await askPages(io, { url, query: { ...query, per_page: pageSize }, ...listClass(url) }, row)) ?? [];

/** The same without the question who is gone, which takes more calls. */
export const askKnown = async (io: FreshdeskIo, id: number | null | undefined): Promise<Who | null> => {
  if (id === null || id === undefined) return null;
  const stream = (await askAgentIds(io)).has(id) ? "users" : "contacts";
  return { stream, id: String(id), name: null, email: null };
};

export const askContact = once((io: FreshdeskIo, id: number) =>
  askOne(io, { url: `contacts/${id}` }, contactRow),
);

/**
 * The person with an id, in the stream that has them; of a deleted one only name and address are left. `isAgent`: who did it as an
 * agent and is none any more, may be a contact now, or gone.
 */
export const askPerson = async (
  io: FreshdeskIo,
  id: number | null | undefined,
  isAgent = false,
): Promise<Who | null> => {
  const known = await askKnown(io, id);
  if (id === null || id === undefined || known === null || known.stream === "users") return known;
  const deleted = (await askDeletedContacts(io)).get(id);
  const gone = deleted ?? (isAgent ? await askContact(io, id) : undefined);
  if (gone === null) return null;
  return gone === undefined || (!deleted && gone.deleted !== true)
    ? known
    : { stream: null, id: null, name: gone.name ?? null, email: gone.email ?? null };
};

const fieldsAt = (url: string) =>
  once(async (io: FreshdeskIo) => (await io.http.send({ url })).json(z.array(fieldRow)));

export const askFields = fieldsAt("ticket_fields");
export const askContactFields = fieldsAt("contact_fields");
export const askCompanyFields = fieldsAt("company_fields");

/** Of a folder that everyone sees. Others are for people who signed in, agents, or chosen companies and contacts. */
const everyone = 1;

export interface Folder {
  readonly id: number;
  readonly path: readonly string[];
  readonly isPublic: boolean;
}

/** The folders of the knowledge base, each with its category. */
export const askFolders = once(async (io: FreshdeskIo): Promise<readonly Folder[]> => {
  const categories = await askList(io, "solutions/categories", namedRow);
  const folders = await Promise.all(
    categories.map(async (category) =>
      (await askList(io, `solutions/categories/${category.id}/folders`, folderRow)).map((folder) => ({
        id: folder.id,
        isPublic: folder.visibility === everyone,
        path: [category.name, folder.name],
      })),
    ),
  );
  return folders.flat().toSorted((a, b) => a.id - b.id);
});
