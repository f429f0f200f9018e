import type { NastyDesk, SeedComment, SeedField } from "../kit/seed-nasty.ts";
import type { Conversation, FreshdeskTables, TicketField } from "./tables.ts";

const statuses = { new: 2, open: 2, pending: 3, solved: 4, closed: 5 } as const;
const priorities = { low: 1, normal: 2, high: 3, urgent: 4 } as const;
const webChat = 15;

const fieldTypes = {
  text: "custom_text",
  dropdown: "custom_dropdown",
  // There are no fields with several values here: the options become one text.
  multiselect: "custom_text",
  nested: "nested_field",
  number: "custom_number",
  date: "custom_date",
  checkbox: "custom_checkbox",
} as const;

/** Levels of a nested field, as an object in an object. */
const nestedChoices = ({ options }: SeedField) => {
  const choices: Record<string, Record<string, string[]>> = {};
  for (const { label } of options) {
    const [first = "", second = "", third = ""] = label.split("::");
    ((choices[first] ??= {})[second] ??= []).push(third);
  }
  return choices;
};

const fieldOf = (field: SeedField): TicketField => {
  const name = `cf_${field.key}`;
  const base = { name, label: field.title, type: fieldTypes[field.kind] };
  if (field.kind === "nested")
    return {
      ...base,
      choices: nestedChoices(field),
      nested_ticket_fields: [
        { name: `${name}_2`, level: 2 },
        { name: `${name}_3`, level: 3 },
      ],
    };
  return { ...base, choices: field.kind === "dropdown" ? field.options.map(({ label }) => label) : null };
};

const valueOf = (field: SeedField, value: string | readonly string[]): Readonly<Record<string, unknown>> => {
  const labels = [value]
    .flat()
    .map((each) => field.options.find((option) => option.value === each)?.label ?? each);
  const name = `cf_${field.key}`;
  if (field.kind === "nested") {
    const [first, second, third] = (labels[0] ?? "").split("::");
    return { [name]: first, [`${name}_2`]: second, [`${name}_3`]: third };
  }
  if (field.kind === "number") return { [name]: Number(value) };
  if (field.kind === "checkbox") return { [name]: value === "true" };
  return { [name]: labels.join("; ") };
};

const idIn = (ids: ReadonlyMap<string, number>, key: string): number => {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`The seed has no ${key}.`);
  return id;
};

/** Fills an account with the nasty desk. Returns the ids by key. */
export const seedFreshdesk = (tables: FreshdeskTables, desk: NastyDesk): ReadonlyMap<string, number> => {
  const ids = new Map<string, number>();
  const asOf = { createdAt: Date.UTC(2024, 1, 1), updatedAt: Date.UTC(2024, 1, 1) };
  for (const { key, name, domains } of desk.organizations)
    ids.set(
      key,
      tables.companies.insert({
        ...asOf,
        data: { name, domains, description: null, note: null, custom_fields: {} },
      }).id,
    );
  for (const { key, name } of desk.groups)
    ids.set(key, tables.groups.insert({ ...asOf, data: { name, description: null, agent_ids: [] } }).id);
  for (const field of desk.fields)
    ids.set(field.key, tables.fields.insert({ ...asOf, data: fieldOf(field) }).id);
  const addresses = new Set<string>();
  for (const { key, name, email, role, phone, organization, gone } of desk.people) {
    // An address belongs to one contact here: the second one has a phone.
    const taken = email !== null && addresses.has(email.toLowerCase());
    if (email !== null) addresses.add(email.toLowerCase());
    const data = {
      kind: role === "customer" ? ("contact" as const) : ("agent" as const),
      name,
      email: taken ? null : email,
      phone: taken ? "+1 555 0102" : phone,
      mobile: null,
      company_id: organization === null ? null : idIn(ids, organization),
      unique_external_id: role === "customer" ? `crm-${key}` : null,
      other_emails: [],
      tags: [],
      custom_fields: {},
    };
    ids.set(key, tables.people.insert({ ...asOf, data, deletedAt: gone ? Date.UTC(2024, 11, 1) : null }).id);
  }
  const isCustomer = (key: string) => desk.people.find((person) => person.key === key)?.role === "customer";
  /** The text and the ids of the files that are listed; images go into the text. */
  const contentOf = ({ html, files }: SeedComment) => {
    let body = html;
    const attachments: number[] = [];
    for (const file of files) {
      const id = tables.storeFile(file);
      if (file.inline) body = body.replaceAll(`{{image:${file.key}}}`, `{{file:${id}}}`);
      else attachments.push(id);
    }
    return { body, attachments };
  };
  const conversationOf = (comment: SeedComment): Conversation =>
    tables.newConversation({
      ...contentOf(comment),
      incoming: isCustomer(comment.author),
      private: !comment.public,
      user_id: idIn(ids, comment.author),
      source: comment.public ? 0 : 2,
      createdAt: comment.createdAt,
    });
  for (const [index, ticket] of desk.tickets.entries()) {
    const [first, ...rest] = ticket.comments;
    const chat = index === 0;
    const { body, attachments } = first ? contentOf(first) : { body: "", attachments: [] };
    const merged = ticket.fate === "merged" && {
      author: "agent1",
      html: "<div>This ticket is closed and merged into another ticket</div>",
      public: false,
      createdAt: ticket.updatedAt,
      files: [],
    };
    const conversations = [
      ...(chat && first ? [{ ...first, files: [] }] : []),
      ...rest,
      ...(merged ? [merged] : []),
    ];
    const row = tables.tickets.insert({
      createdAt: ticket.createdAt,
      updatedAt: ticket.updatedAt,
      deletedAt: ticket.fate === "deleted" ? ticket.updatedAt : null,
      archived: ticket.fate === "archived",
      data: {
        subject: ticket.subject,
        description: body,
        attachments,
        status: statuses[ticket.status],
        priority: priorities[ticket.priority],
        source: chat ? webChat : 1,
        type: null,
        requester_id: idIn(ids, ticket.requester),
        responder_id: ticket.assignee === null ? null : idIn(ids, ticket.assignee),
        group_id: ticket.group === null ? null : idIn(ids, ticket.group),
        company_id: tables.people.get(idIn(ids, ticket.requester))?.data.company_id ?? null,
        cc_emails: index === 1 ? ["boss@acme.example"] : [],
        tags: ticket.tags,
        custom_fields: Object.assign(
          {},
          ...desk.fields.map((field) => {
            const value = ticket.values[field.key];
            return value === undefined ? { [`cf_${field.key}`]: null } : valueOf(field, value);
          }),
        ) as Record<string, unknown>,
        spam: ticket.fate === "spam" || ticket.fate === "suspended",
        conversations: conversations.map(conversationOf),
      },
    });
    ids.set(ticket.key, row.id);
  }
  const category = tables.categories.insert({ ...asOf, data: { name: "General" } });
  const folder = tables.folders.insert({
    ...asOf,
    data: { name: "How to", category_id: category.id, visibility: 1 },
  });
  ids.set("category", category.id);
  ids.set("folder", folder.id);
  for (const { key, title, html, draft, createdAt, updatedAt } of desk.articles) {
    const data = { title, description: html, status: draft ? 1 : 2, folder_id: folder.id };
    ids.set(key, tables.articles.insert({ createdAt, updatedAt, data }).id);
  }
  for (const table of [tables.people, tables.tickets]) table.settleIndex();
  return ids;
};
