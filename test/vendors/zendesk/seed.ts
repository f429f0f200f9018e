import type { NastyDesk, SeedTicket } from "../kit/seed-nasty.ts";
import type { Comment, ZendeskTables } from "./tables.ts";

const fieldTypes = {
  text: "text",
  dropdown: "tagger",
  multiselect: "multiselect",
  nested: "tagger",
  number: "integer",
  date: "date",
  checkbox: "checkbox",
} as const;

const idIn = (ids: ReadonlyMap<string, number>, key: string | null): number => {
  const id = ids.get(key ?? "");
  if (id === undefined) throw new Error(`The seed has no ${key}.`);
  return id;
};

/** Fills an account with the nasty desk. Returns the ids by key. */
export const seedZendesk = (tables: ZendeskTables, desk: NastyDesk): ReadonlyMap<string, number> => {
  const ids = new Map<string, number>();
  const asOf = { createdAt: Date.UTC(2024, 1, 1), updatedAt: Date.UTC(2024, 1, 1) };
  for (const { key, name, domains } of desk.organizations) {
    const data = {
      name,
      external_id: `crm-${key}`,
      domain_names: domains,
      details: null,
      notes: null,
      tags: [],
      organization_fields: {},
    };
    ids.set(key, tables.organizations.insert({ ...asOf, data }).id);
  }
  for (const { key, name } of desk.groups)
    ids.set(key, tables.groups.insert({ ...asOf, data: { name, description: "" } }).id);
  for (const { key, title, kind, options } of desk.fields) {
    const custom = options.map(({ label, value }, index) => ({ id: 55_000 + index, name: label, value }));
    const data = {
      title,
      type: fieldTypes[kind],
      tag: kind === "checkbox" ? key : null,
      ...(custom.length > 0 && { custom_field_options: custom }),
    };
    ids.set(key, tables.fields.insert({ ...asOf, data }).id);
  }
  for (const name of ["Acme", "Acme Plus"])
    ids.set(name, tables.brands.insert({ ...asOf, data: { name } }).id);
  ids.set("form", tables.forms.insert({ ...asOf, data: { name: "Returns" } }).id);
  const addresses = new Set<string>();
  for (const { key, name, email, role, phone, organization, gone } of desk.people) {
    // An address belongs to one user here: the second one has none.
    const taken = email !== null && addresses.has(email.toLowerCase());
    if (email !== null) addresses.add(email.toLowerCase());
    const data = {
      name,
      email: taken ? null : email,
      phone,
      role: role === "customer" ? ("end-user" as const) : role,
      organization_id: organization === null ? null : idIn(ids, organization),
      external_id: `crm-${key}`,
      user_fields: {},
      notes: null,
      tags: [],
    };
    const deletedAt = gone ? Date.UTC(2024, 11, 1) : null;
    ids.set(key, tables.users.insert({ ...asOf, data, deletedAt }).id);
  }
  const fieldValue = (key: string, value: string | readonly string[]) => ({
    id: idIn(ids, key),
    value: desk.fields.find((field) => field.key === key)?.kind === "checkbox" ? value === "true" : value,
  });
  const commentsOf = ({ comments }: SeedTicket): readonly Comment[] =>
    comments.map(({ author, html, createdAt, files, ...comment }) => {
      let body = html;
      const attachments = files.map((file) => {
        const id = tables.storeAttachment(file, file.inline);
        body = body.replaceAll(`{{image:${file.key}}}`, tables.attachmentWire(id).content_url);
        return id;
      });
      return tables.newComment({
        author_id: idIn(ids, author),
        html_body: body,
        public: comment.public,
        createdAt,
        attachments,
      });
    });
  for (const ticket of desk.tickets) {
    if (ticket.fate === "suspended" || ticket.fate === "spam") {
      const data = {
        subject: ticket.subject,
        content: ticket.comments[0]?.html ?? "",
        author_id: idIn(ids, ticket.requester),
      };
      tables.suspended.insert({ createdAt: ticket.createdAt, data });
      continue;
    }
    const requester = idIn(ids, ticket.requester);
    const merged = ticket.fate === "merged";
    const chosen = Object.entries(ticket.values).filter(
      ([key]) => (desk.fields.find((field) => field.key === key)?.options.length ?? 0) > 0,
    );
    const mergeNote = merged && [
      tables.newComment({
        author_id: idIn(ids, "agent1"),
        html_body: `<p>This request was closed and merged into request #${ids.get(ticket.mergedInto ?? "")}</p>`,
        public: false,
        createdAt: ticket.updatedAt,
        attachments: [],
      }),
    ];
    const row = tables.tickets.insert({
      createdAt: ticket.createdAt,
      updatedAt: ticket.updatedAt,
      deletedAt: ticket.fate === "deleted" ? ticket.updatedAt : null,
      archived: ticket.fate === "archived",
      data: {
        subject: ticket.subject,
        status: ticket.status,
        priority: ticket.priority,
        type: null,
        requester_id: requester,
        submitter_id: requester,
        assignee_id: ticket.assignee === null ? null : idIn(ids, ticket.assignee),
        group_id: ticket.group === null ? null : idIn(ids, ticket.group),
        organization_id: tables.users.get(requester)?.data.organization_id ?? null,
        brand_id: idIn(ids, ticket.group === null ? "Acme" : "Acme Plus"),
        ...(ticket.group !== null && { ticket_form_id: idIn(ids, "form") }),
        external_id: ticket.assignee === null ? null : `case ${ticket.subject.length}`,
        problem_id: null,
        tags: [
          ...ticket.tags,
          ...(merged ? ["closed_by_merge"] : []),
          ...chosen.flatMap(([, value]) => value),
        ],
        custom_fields: desk.fields.map(({ key }) =>
          ticket.values[key] === undefined
            ? { id: idIn(ids, key), value: null }
            : fieldValue(key, ticket.values[key]),
        ),
        collaborator_ids: [],
        due_at: null,
        comments: [...commentsOf(ticket), ...(mergeNote || [])],
        imported: false,
      },
    });
    ids.set(ticket.key, row.id);
  }
  const section = tables.sections.insert({ ...asOf, data: { name: "General" } });
  for (const { key, title, html, author, draft, createdAt, updatedAt } of desk.articles) {
    const data = {
      title,
      draft,
      body: html,
      author_id: idIn(ids, author),
      section_id: section.id,
      locale: "en-us",
      label_names: [],
    };
    ids.set(key, tables.articles.insert({ createdAt, updatedAt, data }).id);
  }
  for (const table of [tables.users, tables.organizations, tables.tickets]) table.settleIndex();
  return ids;
};
