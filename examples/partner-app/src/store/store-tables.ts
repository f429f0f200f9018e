export const streamNames = [
  "users",
  "organizations",
  "contacts",
  "groups",
  "brands",
  "macros",
  "tickets",
  "comments",
  "ticketRelations",
  "timeEntries",
  "ratings",
  "articleCategories",
  "articles",
  "articleTranslations",
  "attachments",
] as const;

export type StreamName = (typeof streamNames)[number];

export const isStreamName = (name: string): name is StreamName =>
  (streamNames as readonly string[]).includes(name);

/** `list`: JSON as well, but without a value it is empty. */
type Kind = "text" | "number" | "flag" | "json" | "list" | "id";

/** Maps the fields of a stream's record to its table. The column's name is the field's name in snake_case. */
export interface Table {
  readonly fields: Readonly<Record<string, Kind>>;
  /** Fields with another row's id, and its table; an id without a row is cleared, unless the field is required. */
  readonly points: Readonly<Record<string, { readonly to: StreamName; readonly required?: true }>>;
  /** Columns of other tables that reference this one: a referenced row can't be removed. */
  readonly heldBy: readonly (readonly [table: StreamName, column: string])[];
}

const common = {
  createdAt: "text",
  updatedAt: "text",
  tags: "json",
  customFields: "json",
  externalId: "text",
} as const;

export const tables: Readonly<Record<StreamName, Table>> = {
  users: {
    fields: { ...common, name: "text", email: "text", active: "flag", role: "text" },
    points: {},
    heldBy: [],
  },
  organizations: {
    fields: { ...common, name: "text", domains: "json", notes: "json" },
    points: {},
    heldBy: [
      ["contacts", "organization_id"],
      ["tickets", "organization_id"],
    ],
  },
  contacts: {
    fields: {
      ...common,
      name: "text",
      emails: "json",
      phones: "json",
      organizationId: "id",
      locale: "text",
      timeZone: "text",
      notes: "json",
      organizationIds: "list",
      active: "flag",
      pictureUrl: "text",
    },
    points: { organizationId: { to: "organizations" } },
    heldBy: [],
  },
  groups: {
    fields: { ...common, name: "text", description: "text", memberIds: "json" },
    points: {},
    heldBy: [["tickets", "group_id"]],
  },
  brands: {
    fields: { ...common, name: "text", url: "text", active: "flag" },
    points: {},
    heldBy: [["tickets", "brand_id"]],
  },
  tickets: {
    fields: {
      ...common,
      subject: "text",
      description: "json",
      status: "text",
      statusKind: "text",
      priority: "text",
      priorityKind: "text",
      type: "text",
      author: "json",
      requester: "json",
      assignee: "json",
      groupId: "id",
      organizationId: "id",
      followers: "json",
      channel: "text",
      dueAt: "text",
      solvedAt: "text",
      visibility: "text",
      number: "text",
      formName: "text",
      brand: "text",
      state: "text",
      mergedInto: "id",
      cc: "list",
      brandId: "id",
    },
    points: {
      groupId: { to: "groups" },
      organizationId: { to: "organizations" },
      mergedInto: { to: "tickets" },
      brandId: { to: "brands" },
    },
    heldBy: [
      ["comments", "ticket_id"],
      ["ticketRelations", "from_ticket_id"],
      ["ticketRelations", "to_ticket_id"],
      ["timeEntries", "ticket_id"],
      ["ratings", "ticket_id"],
    ],
  },
  ticketRelations: {
    fields: { ...common, fromTicketId: "id", toTicketId: "id", kind: "text" },
    points: {
      fromTicketId: { to: "tickets", required: true },
      toTicketId: { to: "tickets", required: true },
    },
    heldBy: [],
  },
  timeEntries: {
    fields: {
      ...common,
      ticketId: "id",
      author: "json",
      startedAt: "text",
      minutes: "number",
      billable: "flag",
      note: "text",
    },
    points: { ticketId: { to: "tickets", required: true } },
    heldBy: [],
  },
  ratings: {
    fields: { ...common, ticketId: "id", author: "json", score: "text", word: "text", comment: "text" },
    points: { ticketId: { to: "tickets", required: true } },
    heldBy: [],
  },
  macros: {
    fields: { ...common, name: "text", path: "list", body: "json", active: "flag", groupIds: "list" },
    points: {},
    heldBy: [],
  },
  articleCategories: {
    fields: {
      ...common,
      name: "text",
      description: "json",
      parentCategoryId: "id",
      position: "number",
      locale: "text",
    },
    points: { parentCategoryId: { to: "articleCategories" } },
    heldBy: [
      ["articleCategories", "parent_category_id"],
      ["articles", "category_id"],
    ],
  },
  articleTranslations: {
    fields: {
      ...common,
      articleId: "id",
      locale: "text",
      title: "text",
      body: "json",
      state: "text",
      author: "json",
    },
    points: { articleId: { to: "articles", required: true } },
    heldBy: [],
  },
  comments: {
    fields: {
      ...common,
      ticketId: "id",
      visibility: "text",
      body: "json",
      author: "json",
      kind: "text",
      incoming: "flag",
      to: "list",
      cc: "list",
      channel: "text",
    },
    points: { ticketId: { to: "tickets", required: true } },
    heldBy: [],
  },
  articles: {
    fields: {
      ...common,
      title: "text",
      body: "json",
      path: "json",
      state: "text",
      locale: "text",
      position: "number",
      author: "json",
      categoryId: "id",
    },
    points: { categoryId: { to: "articleCategories" } },
    heldBy: [["articleTranslations", "article_id"]],
  },
  attachments: {
    fields: {
      ...common,
      parentStream: "text",
      parentId: "id",
      fileName: "text",
      contentType: "text",
      size: "number",
      inline: "flag",
      description: "text",
      author: "json",
      sha256: "text",
      path: "text",
      url: "text",
    },
    points: {},
    heldBy: [],
  },
};

/** `to` is a word of SQL. */
export const columnOf = (field: string): string =>
  field === "to" ? "sent_to" : field.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

export const columnTypes: Readonly<Record<Kind, string>> = {
  text: "text",
  number: "real",
  flag: "integer",
  json: "text",
  list: "text",
  id: "integer",
};

export type SqlValue = string | number | null;

export const toColumn = (kind: Kind, value: unknown): SqlValue => {
  if (value === null || value === undefined) return null;
  if (kind === "json" || kind === "list") return JSON.stringify(value);
  if (kind === "flag") return value ? 1 : 0;
  if (kind === "id") return Number(value);
  return value as SqlValue;
};

export const fromColumn = (kind: Kind, value: SqlValue): unknown => {
  if (value === null) return kind === "list" ? [] : null;
  if (kind === "json" || kind === "list") return JSON.parse(String(value));
  if (kind === "flag") return value === 1;
  if (kind === "id") return String(value);
  return value;
};
