import { isoSeconds, type VendorClock } from "../kit/clock.ts";
import { type FileHost, sha256Of, sizeOf, type StoredFile } from "../kit/file-host.ts";
import { createTable, digestOf, dumpRows, type Row } from "../kit/table.ts";

/** Contacts and agents share their ids. */
export interface Person {
  readonly kind: "contact" | "agent";
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly mobile: string | null;
  readonly company_id: number | null;
  readonly unique_external_id: string | null;
  readonly other_emails: readonly string[];
  readonly tags: readonly string[];
  readonly custom_fields: Readonly<Record<string, unknown>>;
}

export interface Company {
  readonly name: string;
  readonly domains: readonly string[];
  readonly description: string | null;
  readonly note: string | null;
  readonly custom_fields: Readonly<Record<string, unknown>>;
}

export interface Group {
  readonly name: string;
  readonly description: string | null;
  readonly agent_ids: readonly number[];
}

export interface TicketField {
  readonly name: string;
  readonly label: string;
  readonly label_for_customers?: string;
  readonly type: string;
  readonly choices: unknown;
  readonly nested_ticket_fields?: readonly { readonly name: string; readonly level: number }[];
}

export interface Conversation {
  readonly id: number;
  readonly body: string;
  readonly incoming: boolean;
  readonly private: boolean;
  readonly user_id: number;
  readonly source: number;
  readonly createdAt: number;
  readonly attachments: readonly number[];
}

export interface Ticket {
  readonly subject: string | null;
  readonly description: string;
  readonly status: number;
  readonly priority: number;
  readonly source: number;
  readonly type: string | null;
  readonly requester_id: number;
  readonly responder_id: number | null;
  readonly group_id: number | null;
  readonly company_id: number | null;
  readonly cc_emails: readonly string[];
  readonly tags: readonly string[];
  readonly custom_fields: Readonly<Record<string, unknown>>;
  readonly spam: boolean;
  readonly attachments: readonly number[];
  readonly conversations: readonly Conversation[];
}

export interface Article {
  readonly title: string;
  readonly description: string;
  readonly status: number;
  readonly folder_id: number;
}

interface Named {
  readonly name: string;
  readonly description?: string | null;
}

/** All that a Freshdesk account holds, and how its API shows it. */
export const createFreshdeskTables = (clock: VendorClock, files: FileHost, linkLifeMs: number) => {
  const people = createTable<Person>(clock, 2_000);
  const companies = createTable<Company>(clock, 3_000);
  const groups = createTable<Group>(clock, 4_000);
  const fields = createTable<TicketField>(clock, 5_000);
  const contactFields = createTable<TicketField>(clock, 5_300);
  const companyFields = createTable<TicketField>(clock, 5_600);
  const tickets = createTable<Ticket>(clock, 1);
  const attachments = createTable<{ readonly file: string }>(clock, 6_000);
  const categories = createTable<Named>(clock, 7_000);
  const folders = createTable<Named & { readonly category_id: number; readonly visibility: number }>(
    clock,
    7_500,
  );
  const articles = createTable<Article>(clock, 8_000);
  let conversationId = 10_000;

  const times = ({ createdAt, updatedAt }: Row<unknown>) => ({
    created_at: isoSeconds(createdAt),
    updated_at: isoSeconds(updatedAt),
  });
  const plain = (html: string) => html.replaceAll(/<[^>]*>/g, "");
  const storeFile = (file: StoredFile): number => {
    const { id } = attachments.insert({ data: { file: "" } });
    files.store(`a${id}`, file);
    attachments.update(id, { file: `a${id}` });
    return id;
  };
  /** Images in texts are links that are signed anew for each answer. */
  const signed = (html: string) =>
    html.replaceAll(/\{\{file:(\d+)\}\}/g, (_, id: string) => files.link(`a${id}`, linkLifeMs));
  const attachmentWire = (id: number) => {
    const row = attachments.get(id);
    const file = files.file(row?.data.file ?? "");
    if (!row || !file) throw new Error(`No attachment ${id}.`);
    return {
      id,
      name: file.name,
      content_type: file.mediaType,
      size: sizeOf(file.content),
      attachment_url: files.link(row.data.file, linkLifeMs),
      ...times(row),
    };
  };
  const conversationWire = (ticketId: number, { createdAt, ...conversation }: Conversation) => ({
    ...conversation,
    ticket_id: ticketId,
    body: signed(conversation.body),
    body_text: plain(conversation.body),
    support_email: null,
    to_emails: [],
    cc_emails: [],
    bcc_emails: [],
    attachments: conversation.attachments.map(attachmentWire),
    created_at: isoSeconds(createdAt),
    updated_at: isoSeconds(createdAt),
  });
  const contactWire = ({ data, ...row }: Row<Person>) => {
    const { kind: _, ...shown } = data;
    return {
      ...shown,
      id: row.id,
      ...times({ ...row, data }),
      active: true,
      address: null,
      job_title: null,
      language: "en",
      time_zone: "UTC",
      twitter_id: null,
      ...(row.deletedAt !== null && { deleted: true }),
    };
  };
  const ticketWire = ({ data, ...row }: Row<Ticket>, withDescription: boolean) => {
    const { description, conversations: _, attachments: __, ...shown } = data;
    return {
      ...shown,
      id: row.id,
      ...(withDescription && { description: signed(description), description_text: plain(description) }),
      product_id: null,
      email_config_id: null,
      fwd_emails: [],
      reply_cc_emails: [],
      to_emails: null,
      fr_escalated: false,
      is_escalated: false,
      due_by: isoSeconds(row.createdAt + 86_400_000),
      fr_due_by: isoSeconds(row.createdAt + 86_400_000),
      ...times({ ...row, data }),
      ...(row.deletedAt !== null && { deleted: true }),
    };
  };
  const dump = () => {
    const used = new Set(
      tickets
        .live()
        .flatMap(({ data }) => [
          ...data.attachments,
          ...data.conversations.flatMap((each) => each.attachments),
        ]),
    );
    return {
      people: dumpRows(people),
      companies: dumpRows(companies),
      groups: dumpRows(groups),
      fields: dumpRows(fields),
      tickets: dumpRows(tickets),
      articles: dumpRows(articles),
      attachments: [...used].map((id) => {
        const file = files.file(`a${id}`);
        return { id, name: file?.name, sha256: file && sha256Of(file.content) };
      }),
    };
  };

  return {
    people,
    companies,
    groups,
    fields,
    contactFields,
    companyFields,
    tickets,
    attachments,
    categories,
    folders,
    articles,
    storeFile,
    attachmentWire,
    conversationWire,
    contactWire,
    ticketWire,
    newConversation: (conversation: Omit<Conversation, "id">): Conversation => {
      conversationId += 1;
      return { ...conversation, id: conversationId };
    },
    agentWire: (row: Row<Person>) => ({
      id: row.id,
      available: true,
      occasional: false,
      signature: null,
      ticket_scope: 1,
      group_ids: [],
      role_ids: [],
      type: "support_agent",
      contact: {
        name: row.data.name,
        email: row.data.email,
        phone: row.data.phone,
        mobile: row.data.mobile,
        active: true,
        language: "en",
        time_zone: "UTC",
        ...times(row),
      },
      ...times(row),
    }),
    /** Rows whose data is what the API shows. */
    plainWire: <T extends object>({ data, ...row }: Row<T>) => ({
      ...data,
      id: row.id,
      ...times({ ...row, data }),
    }),
    groupWire: ({ data, ...row }: Row<Group>) => ({
      ...data,
      id: row.id,
      ...times({ ...row, data }),
      description: data.description ?? "",
    }),
    companyWire: ({ data, ...row }: Row<Company>) => ({
      ...data,
      id: row.id,
      ...times({ ...row, data }),
      description: data.description ?? "",
      health_score: null,
      account_tier: null,
      renewal_date: null,
      industry: null,
    }),
    dump,
    digest: (): string => digestOf(dump()),
  };
};

export type FreshdeskTables = ReturnType<typeof createFreshdeskTables>;
