import type { NastyDesk, SeedComment, SeedTicket } from "../kit/seed-nasty.ts";
import type { Author, Conversation, IntercomTables, Part } from "./tables.ts";

const idIn = (ids: ReadonlyMap<string, number>, key: string): number => {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`The seed has no ${key}.`);
  return id;
};

/** Every fourth of the ordinary tickets is a ticket here too; the others are conversations. */
const isTicket = ({ subject }: SeedTicket, index: number) =>
  subject.startsWith("Question ") && index % 4 === 3;

/** Fills a workspace with the nasty desk. Returns the ids by key. */
export const seedIntercom = (tables: IntercomTables, desk: NastyDesk): ReadonlyMap<string, number> => {
  const ids = new Map<string, number>();
  const asOf = { createdAt: Date.UTC(2024, 1, 1), updatedAt: Date.UTC(2024, 1, 1) };
  for (const { key, name } of desk.organizations)
    ids.set(key, tables.companies.insert({ ...asOf, data: { name, company_id: `company-${key}` } }).id);
  for (const { key, name } of desk.groups) ids.set(key, tables.teams.insert({ ...asOf, data: { name } }).id);
  for (const { key, name, email, role, phone, organization, gone } of desk.people) {
    const deletedAt = gone ? Date.UTC(2024, 11, 1) : null;
    if (role !== "customer") {
      ids.set(key, tables.admins.insert({ ...asOf, deletedAt, data: { name, email: email ?? "" } }).id);
      continue;
    }
    // Two contacts may have one address: one of them is a lead.
    const data = {
      role: key === "same2" ? ("lead" as const) : ("user" as const),
      name,
      email,
      phone,
      external_id: key === "same2" ? null : `user-${key}`,
      companies: organization === null ? [] : [idIn(ids, organization)],
      custom_attributes: {},
    };
    ids.set(key, tables.contacts.insert({ ...asOf, deletedAt, data }).id);
  }
  const authorOf = (key: string): Author => {
    const person = desk.people.find((each) => each.key === key);
    const type = person?.role === "customer" ? tables.contacts.get(idIn(ids, key))?.data.role : "admin";
    return { type: type ?? "user", id: idIn(ids, key) };
  };
  const contentOf = ({ author, html, createdAt, files }: SeedComment) => {
    let body = html;
    const listed: string[] = [];
    for (const file of files) {
      const key = tables.storeFile(file);
      if (file.inline) body = body.replaceAll(`{{image:${file.key}}}`, `{{file:${key}}}`);
      else listed.push(key);
    }
    return { author: authorOf(author), body, createdAt, files: listed };
  };
  for (const [index, ticket] of desk.tickets.entries()) {
    // There is no list of spam to seed.
    if (ticket.fate === "spam" || ticket.fate === "suspended") continue;
    const [first, ...rest] = ticket.comments;
    if (!first) continue;
    const closed = ticket.status === "solved" || ticket.status === "closed";
    const happened = (part_type: string, author: Author): Part =>
      tables.newPart({ part_type, author, body: null, createdAt: ticket.updatedAt, files: [] });
    const data: Conversation = {
      subject: ticket.subject,
      contact: idIn(ids, ticket.requester),
      admin_assignee_id: ticket.assignee === null ? null : idIn(ids, ticket.assignee),
      team_assignee_id: ticket.group === null ? null : idIn(ids, ticket.group),
      state: closed ? "closed" : "open",
      priority: ticket.priority === "urgent" ? "urgent" : "none",
      source: contentOf(first),
      parts: [
        ...rest.map((comment) =>
          tables.newPart({ ...contentOf(comment), part_type: comment.public ? "comment" : "note" }),
        ),
        ...(closed ? [happened("close", authorOf("agent1"))] : []),
      ],
      custom_attributes: Object.fromEntries(
        Object.entries(ticket.values).map(([key, value]) => [key, [value].flat().join(", ")]),
      ),
    };
    const table = isTicket(ticket, index) ? tables.tickets : tables.conversations;
    const row = table.insert({
      createdAt: ticket.createdAt,
      updatedAt: ticket.updatedAt,
      deletedAt: ticket.fate === "deleted" ? ticket.updatedAt : null,
      data,
    });
    ids.set(ticket.key, row.id);
  }
  for (const { key, title, html, author, draft, createdAt, updatedAt } of desk.articles) {
    const data = {
      title,
      body: html,
      author_id: idIn(ids, author),
      state: draft ? ("draft" as const) : ("published" as const),
    };
    ids.set(key, tables.articles.insert({ createdAt, updatedAt, data }).id);
  }
  return ids;
};
