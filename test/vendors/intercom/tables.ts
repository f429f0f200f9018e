import { unixSeconds, type VendorClock } from "../kit/clock.ts";
import { type FileHost, sha256Of, sizeOf, type StoredFile } from "../kit/file-host.ts";
import { createTable, digestOf, dumpRows, type Row } from "../kit/table.ts";

export interface Admin {
  readonly name: string;
  readonly email: string;
}

export interface Contact {
  readonly role: "user" | "lead";
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly external_id: string | null;
  readonly companies: readonly number[];
  readonly custom_attributes: Readonly<Record<string, unknown>>;
}

export interface Company {
  readonly name: string;
  readonly company_id: string;
}

export interface Author {
  readonly type: "admin" | "user" | "lead" | "bot";
  readonly id: number;
}

export interface Part {
  readonly id: number;
  /** `comment`, `note` (internal), or what happened: `assignment`, `close`. */
  readonly part_type: string;
  readonly body: string | null;
  readonly author: Author;
  readonly createdAt: number;
  readonly files: readonly string[];
}

/** A conversation, or a ticket, which has attributes and a type. */
export interface Conversation {
  readonly subject: string | null;
  readonly contact: number;
  readonly admin_assignee_id: number | null;
  readonly team_assignee_id: number | null;
  readonly state: "open" | "closed" | "snoozed";
  readonly priority: "none" | "urgent";
  readonly source: Omit<Part, "id" | "part_type">;
  readonly parts: readonly Part[];
  readonly custom_attributes: Readonly<Record<string, string | number>>;
}

export interface Article {
  readonly title: string;
  readonly body: string;
  readonly author_id: number;
  readonly state: "published" | "draft";
  readonly help_center_audience?: "everyone" | "all_users" | "restricted";
}

const maxParts = 500;

/** The ids of contacts and companies have 24 hexadecimal digits. */
export const hexId = (id: number): string => `66${id.toString(16).padStart(22, "0")}`;
export const idOfHex = (text: string): number => Number.parseInt(text.slice(2), 16);

/** All that an Intercom workspace holds, and how its API shows it. */
export const createIntercomTables = (
  clock: VendorClock,
  files: FileHost,
  linkLifeMs: number,
  url: () => string,
) => {
  const admins = createTable<Admin>(clock, 100);
  const teams = createTable<{ readonly name: string }>(clock, 500);
  const companies = createTable<Company>(clock, 1_000);
  const contacts = createTable<Contact>(clock, 2_000);
  const conversations = createTable<Conversation>(clock, 10_000);
  const tickets = createTable<Conversation>(clock, 500_000);
  const articles = createTable<Article>(clock, 900_000);
  let partId = 1_000_000;
  let fileId = 0;

  const times = ({ createdAt, updatedAt }: Row<unknown>) => ({
    created_at: unixSeconds(createdAt),
    updated_at: unixSeconds(updatedAt),
  });
  const signed = (html: string | null) =>
    html?.replaceAll(/\{\{file:(\w+)\}\}/g, (_, key: string) => files.link(key, linkLifeMs)) ?? null;
  const fileWire = (key: string) => {
    const file = files.file(key);
    if (!file) throw new Error(`No file ${key}.`);
    return {
      type: "upload",
      name: file.name,
      url: files.link(key, linkLifeMs),
      content_type: file.mediaType,
      filesize: sizeOf(file.content),
    };
  };
  const authorWire = ({ type, id }: Author) => {
    const known = type === "admin" ? admins.get(id) : contacts.get(id);
    const shown = known && known.deletedAt === null ? known.data : null;
    return {
      type,
      id: type === "admin" || type === "bot" ? String(id) : hexId(id),
      name: shown?.name ?? null,
      email: shown?.email ?? null,
    };
  };
  const partWire = (part: Part, type: string) => ({
    type,
    id: String(part.id),
    part_type: part.part_type,
    body: signed(part.body),
    created_at: unixSeconds(part.createdAt),
    updated_at: unixSeconds(part.createdAt),
    author: authorWire(part.author),
    attachments: part.files.map(fileWire),
    external_id: null,
    redacted: false,
  });
  const contactsOf = ({ contact }: Conversation) => ({
    type: "contact.list",
    contacts: [
      { type: "contact", id: hexId(contact), external_id: contacts.get(contact)?.data.external_id ?? null },
    ],
  });
  const conversationItem = ({ data, ...row }: Row<Conversation>) => ({
    type: "conversation",
    id: String(row.id),
    ...times({ ...row, data }),
    title: data.subject,
    open: data.state === "open",
    state: data.state,
    read: true,
    priority: data.priority,
    admin_assignee_id: data.admin_assignee_id,
    team_assignee_id: data.team_assignee_id,
    waiting_since: null,
    snoozed_until: null,
    contacts: contactsOf(data),
    tags: { type: "tag.list", tags: [] },
    custom_attributes: data.custom_attributes,
    source: {
      type: "conversation",
      id: String(row.id + 1),
      delivered_as: "customer_initiated",
      subject: "",
      body: signed(data.source.body) ?? "",
      author: authorWire(data.source.author),
      attachments: data.source.files.map(fileWire),
      url: null,
      redacted: false,
    },
  });
  const dump = () => {
    const used = [...conversations.live(), ...tickets.live()].flatMap(({ data }) => [
      ...data.source.files,
      ...data.parts.flatMap((part) => part.files),
    ]);
    return {
      admins: dumpRows(admins),
      teams: dumpRows(teams),
      companies: dumpRows(companies),
      contacts: dumpRows(contacts),
      conversations: dumpRows(conversations),
      tickets: dumpRows(tickets),
      articles: dumpRows(articles),
      files: used.map((key) => {
        const file = files.file(key);
        return { key, name: file?.name, sha256: file && sha256Of(file.content) };
      }),
    };
  };
  return {
    admins,
    teams,
    companies,
    contacts,
    conversations,
    tickets,
    articles,
    storeFile: (file: StoredFile): string => {
      fileId += 1;
      files.store(`f${fileId}`, file);
      return `f${fileId}`;
    },
    newPart: (part: Omit<Part, "id">): Part => {
      partId += 1;
      return { ...part, id: partId };
    },
    adminWire: (row: Row<Admin>) => ({
      type: "admin",
      id: String(row.id),
      name: row.data.name,
      email: row.data.email,
      away_mode_enabled: false,
      away_mode_reassign: false,
      has_inbox_seat: true,
      team_ids: [],
    }),
    teamWire: ({ id, data }: Row<{ readonly name: string }>) => ({
      type: "team",
      id: String(id),
      name: data.name,
      admin_ids: [],
    }),
    companyWire: (row: Row<Company>) => ({
      type: "company",
      id: hexId(row.id),
      company_id: row.data.company_id,
      name: row.data.name,
      app_id: "acme",
      ...times(row),
      user_count: contacts.live().filter(({ data }) => data.companies.includes(row.id)).length,
      custom_attributes: {},
    }),
    contactWire: ({ data, ...row }: Row<Contact>) => {
      const { companies: of, ...shown } = data;
      return {
        type: "contact",
        id: hexId(row.id),
        ...times({ ...row, data }),
        ...shown,
        owner_id: null,
        companies: {
          data: of.map((id) => ({ type: "company", id: hexId(id), url: `${url()}/companies/${hexId(id)}` })),
          url: `${url()}/contacts/${hexId(row.id)}/companies`,
          total_count: of.length,
          has_more: false,
        },
      };
    },
    conversationItem,
    conversationWire: (row: Row<Conversation>) => ({
      ...conversationItem(row),
      conversation_parts: {
        type: "conversation_part.list",
        conversation_parts: row.data.parts
          .slice(-maxParts)
          .map((part) => partWire(part, "conversation_part")),
        total_count: row.data.parts.length,
      },
    }),
    ticketWire: ({ data, ...row }: Row<Conversation>) => ({
      type: "ticket",
      id: String(row.id),
      ticket_id: String(row.id - 499_999),
      category: "Customer",
      ...times({ ...row, data }),
      open: data.state === "open",
      is_shared: true,
      ticket_attributes: {
        _default_title_: data.subject,
        _default_description_: signed(data.source.body),
        ...data.custom_attributes,
      },
      ticket_state: {
        type: "ticket_state",
        id: "1",
        category: data.state === "closed" ? "resolved" : "in_progress",
        internal_label: "",
        external_label: "",
      },
      contacts: contactsOf(data),
      admin_assignee_id: data.admin_assignee_id,
      team_assignee_id: data.team_assignee_id,
      ticket_parts: {
        type: "ticket_part.list",
        ticket_parts: data.parts.slice(-maxParts).map((part) => partWire(part, "ticket_part")),
        total_count: data.parts.length,
      },
    }),
    articleWire: (row: Row<Article>) => ({
      type: "article",
      id: String(row.id),
      workspace_id: "acme",
      ...row.data,
      ...times(row),
      url: null,
      default_locale: "en",
    }),
    dump,
    digest: (): string => digestOf(dump()),
  };
};

export type IntercomTables = ReturnType<typeof createIntercomTables>;
