import {
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  type RecordOf,
  type SourceStream,
} from "@portage/connector-kit";
import { getTickets, type Parts, type Query, searchTickets } from "./ask.ts";
import { addressOf, agentIdOf, agentSearches, contactIdOf, isByCustomer, showsAgent } from "./people.ts";
import { queueUrl } from "./record-at.ts";
import type { TicketRow } from "./rows.ts";
import type { ZnunyIo, ZnunySettings } from "./settings.ts";
import { changedSince, walkTickets } from "./walk.ts";

interface Derived<T extends FamilyRecord> {
  readonly stream: FamilyStream<T>;
  readonly parts: Parts;
  idsIn(ticket: TicketRow): readonly (string | null)[];
  /** The searches for the tickets of one record, each for those that the searches before it do not find. */
  searches(id: string): readonly Query[];
  /** From the first ticket of the record. */
  toRecord(id: string, ticket: TicketRow): T;
}

/**
 * Znuny's web service lists no people and no queues: the tickets name them. Each is made from its first ticket, and
 * read with the page that this ticket is on, so that each comes once, however many tickets name it.
 */
const derivedSource = <T extends FamilyRecord>(of: Derived<T>): SourceStream<T, ZnunySettings> => {
  const firstTicket = async (io: ZnunyIo, id: string, since: Date | null): Promise<number | null> => {
    for (const search of of.searches(id)) {
      const [first] = await searchTickets(io, { ...search, ...changedSince(io, since) }, 1);
      if (first !== undefined) return first;
    }
    return null;
  };
  const readByIds = async (io: ZnunyIo, ids: readonly string[]): Promise<readonly T[]> => {
    const firsts = await Promise.all(ids.map(async (id) => ({ id, first: await firstTicket(io, id, null) })));
    const wanted = [...new Set(firsts.flatMap(({ first }) => first ?? []))];
    const tickets = new Map(
      (await getTickets(io, wanted, of.parts)).map((ticket) => [ticket.TicketID, ticket]),
    );
    return firsts.flatMap(({ id, first }) => {
      const ticket = tickets.get(first ?? 0);
      return ticket?.TicketID && of.idsIn(ticket).includes(id) ? [of.toRecord(id, ticket)] : [];
    });
  };
  return {
    stream: of.stream,
    delta: true,
    async readPage(io, at) {
      const { rows, next } = await walkTickets(io, at, 200);
      const here = new Set(rows.map(({ TicketID }) => TicketID));
      const ids = [...new Set(rows.flatMap(of.idsIn).filter((id) => id !== null))];
      const firsts = await Promise.all(ids.map((id) => firstTicket(io, id, at.since)));
      return {
        records: await readByIds(
          io,
          ids.filter((_, index) => here.has(firsts[index] ?? 0)),
        ),
        next,
      };
    },
    readByIds,
  };
};

const ifNumeric = (id: string, searches: readonly Query[]) => (/^\d{1,9}$/.test(id) ? searches : []);

export const usersSource = derivedSource<RecordOf<typeof helpdesk.users>>({
  stream: helpdesk.users,
  parts: { articles: "all" },
  idsIn: ({ OwnerID, ResponsibleID }) => [agentIdOf(OwnerID), agentIdOf(ResponsibleID)],
  searches: (id) => ifNumeric(id, agentSearches(id)),
  toRecord(id, { OwnerID, Owner, Responsible, Article }) {
    const login = (OwnerID === id ? Owner : Responsible) ?? id;
    const own = Article.find((article) => article.CreateBy === id && showsAgent(article));
    const { name, email } = addressOf(own?.From ?? null);
    return helpdesk.users.make({
      id,
      name: name ?? login,
      email: email ?? (login.includes("@") ? login : null),
    });
  },
});

export const contactsSource = derivedSource<RecordOf<typeof helpdesk.contacts>>({
  stream: helpdesk.contacts,
  parts: { articles: "all" },
  idsIn: (ticket) => [contactIdOf(ticket)],
  // In quotes: Znuny takes + for “and” otherwise.
  searches: (id) => [{ CustomerUserLogin: `"${id}"` }],
  toRecord(id, { Article, CustomerUserID }) {
    const said = Article.filter(isByCustomer).map(({ From }) => addressOf(From));
    const own = said.find(({ email }) => !id.includes("@") || email?.toLowerCase() === id);
    const email = id.includes("@") ? CustomerUserID : (own?.email ?? null);
    return helpdesk.contacts.make({
      id,
      name: own?.name ?? CustomerUserID ?? id,
      emails: email ? [email] : [],
    });
  },
});

export const groupsSource: SourceStream<RecordOf<typeof helpdesk.groups>, ZnunySettings> = {
  ...derivedSource<RecordOf<typeof helpdesk.groups>>({
    stream: helpdesk.groups,
    parts: {},
    idsIn: ({ QueueID }) => [QueueID],
    searches: (id) => ifNumeric(id, [{ QueueIDs: id }]),
    toRecord: (id, { Queue }) => helpdesk.groups.make({ id, name: Queue }),
  }),
  urlOf: (settings, { id }) => queueUrl(settings, id),
};
