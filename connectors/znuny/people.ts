import type { Who } from "@portage/connector-kit";
import { searchTickets } from "./ask.ts";
import type { ArticleRow, TicketRow } from "./rows.ts";
import type { ZnunyIo } from "./settings.ts";

/** Owns tickets without an owner and writes what Znuny writes itself. */
const systemUser = "1";

/** Znuny compares customers' logins without their case. */
export const contactIdOf = ({ CustomerUserID }: Pick<TicketRow, "CustomerUserID">): string | null =>
  CustomerUserID?.toLowerCase() ?? null;

export const agentIdOf = (id: string): string | null => (id === systemUser ? null : id);

export interface Address {
  readonly name: string | null;
  readonly email: string | null;
}

/** The first address of a header: `"Ana Líma" <ana@agents.test>`, or either part alone. */
export const addressOf = (header: string | null): Address => {
  const [, quoted, plain, email] =
    /^\s*(?:"((?:[^"\\]|\\.)*)"|([^<",]*))\s*(?:<([^<>\s]+@[^<>\s]+)>)?/.exec(header ?? "") ?? [];
  const name = (quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "").trim();
  if (email) return { name: name || null, email };
  return name.includes("@") && !/\s/.test(name)
    ? { name: null, email: name }
    : { name: name || null, email: null };
};

/** All mail addresses of a header. */
export const addressesIn = (header: string | null): string[] => [
  ...new Set(header?.match(/[^\s<>"',;:()]+@[^\s<>"',;:()]+/g) ?? []),
];

/** E-mails leave with the queue's address in place of the agent's. */
const emailChannel = 1;

export const isByAgent = ({ SenderType }: ArticleRow) => SenderType === "agent";
export const isByCustomer = ({ SenderType }: ArticleRow) => SenderType === "customer";
export const showsAgent = (article: ArticleRow) =>
  isByAgent(article) && article.CommunicationChannelID !== emailChannel;

/** The searches that find an agent's tickets: the users stream knows the agents of the first that finds any. */
export const agentSearches = (id: string) => [{ OwnerIDs: id }, { ResponsibleIDs: id }] as const;

const knownAgents = new WeakMap<object, Map<string, Promise<boolean>>>();

/** Whether the users stream has this agent: it has those who own or are responsible for a ticket. */
export const isKnownAgent = (io: ZnunyIo, id: string): Promise<boolean> => {
  const known = knownAgents.get(io.scope) ?? new Map<string, Promise<boolean>>();
  knownAgents.set(io.scope, known);
  const look = async () => {
    for (const search of agentSearches(id)) if ((await searchTickets(io, search, 1)).length > 0) return true;
    return false;
  };
  const answer = known.get(id) ?? look();
  known.set(id, answer);
  return answer;
};

const person = (stream: "users" | "contacts" | null, id: string | null, { name, email }: Address): Who => ({
  stream,
  id,
  name,
  email,
});

const noAddress: Address = { name: null, email: null };

/** A customer's article is by the ticket's customer, unless the address shows that it is by someone else. */
const customerWho = (ticket: TicketRow, address: Address): Who => {
  const id = contactIdOf(ticket);
  const isOther = id?.includes("@") && address.email !== null && address.email.toLowerCase() !== id;
  return id === null || isOther ? person(null, null, address) : person("contacts", id, address);
};

export const authorOf = async (io: ZnunyIo, ticket: TicketRow, article: ArticleRow): Promise<Who | null> => {
  const address = addressOf(article.From);
  if (isByCustomer(article)) return customerWho(ticket, address);
  const id = isByAgent(article) ? agentIdOf(article.CreateBy) : null;
  if (id !== null && (await isKnownAgent(io, id)))
    return person("users", id, showsAgent(article) ? address : noAddress);
  return address.name === null && address.email === null ? null : person(null, null, address);
};

export const requesterOf = (ticket: TicketRow): Who | null => {
  const id = contactIdOf(ticket);
  if (id !== null) return person("contacts", id, noAddress);
  const [first] = ticket.Article;
  return first && isByCustomer(first) ? person(null, null, addressOf(first.From)) : null;
};

export const ownerOf = ({ OwnerID, Owner }: TicketRow): Who | null => {
  const id = agentIdOf(OwnerID);
  return id === null ? null : person("users", id, { name: Owner, email: null });
};
