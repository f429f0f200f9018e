import { isoSeconds, unixSeconds, type VendorClock } from "../kit/clock.ts";
import { type FileHost, sha256Of, sizeOf, type StoredFile } from "../kit/file-host.ts";
import { createTable, digestOf, dumpRows, type Row } from "../kit/table.ts";

export interface User {
  readonly name: string;
  readonly email: string | null;
  readonly role: "end-user" | "agent" | "admin";
  readonly phone: string | null;
  readonly organization_id: number | null;
  readonly external_id: string | null;
  readonly user_fields: Readonly<Record<string, unknown>>;
  readonly notes: string | null;
  readonly tags: readonly string[];
  readonly details?: string | null;
  readonly suspended?: boolean;
}

export interface Organization {
  readonly name: string;
  readonly external_id: string | null;
  readonly domain_names: readonly string[];
  readonly details: string | null;
  readonly notes: string | null;
  readonly tags: readonly string[];
  readonly organization_fields: Readonly<Record<string, unknown>>;
}

export interface Group {
  readonly name: string;
  readonly description: string;
}

export interface FieldOption {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

export interface TicketField {
  readonly title: string;
  readonly type: string;
  readonly custom_field_options?: readonly FieldOption[];
  readonly tag: string | null;
  readonly agent_description?: string;
}

export interface Comment {
  readonly id: number;
  readonly author_id: number;
  readonly html_body: string;
  readonly public: boolean;
  readonly createdAt: number;
  /** Ids of attachments. */
  readonly attachments: readonly number[];
  readonly isCall?: boolean;
}

/** What was done to a comment later; the history of its ticket has it. */
export interface CommentChange {
  readonly id: number;
  readonly at: number;
  readonly event_type: "CommentPrivacyChange" | "CommentRedactionEvent" | "AttachmentRedactionEvent";
  readonly comment_id?: number;
  readonly attachment_id?: number;
  readonly public?: boolean;
}

export interface Ticket {
  readonly subject: string | null;
  readonly status: string;
  readonly priority: string | null;
  readonly type: string | null;
  readonly requester_id: number;
  readonly submitter_id: number;
  readonly assignee_id: number | null;
  readonly group_id: number | null;
  readonly organization_id: number | null;
  readonly brand_id?: number;
  readonly ticket_form_id?: number;
  readonly external_id: string | null;
  readonly problem_id: number | null;
  readonly tags: readonly string[];
  readonly custom_fields: readonly { readonly id: number; readonly value: unknown }[];
  readonly collaborator_ids: readonly number[];
  readonly due_at: string | null;
  readonly comments: readonly Comment[];
  readonly commentChanges?: readonly CommentChange[];
  readonly imported: boolean;
}

export interface Attachment {
  readonly file: string;
  readonly inline: boolean;
}

export interface Article {
  readonly title: string;
  readonly body: string;
  readonly author_id: number;
  readonly section_id: number;
  readonly locale: string;
  readonly draft: boolean;
  /** Left out: everyone may see it. */
  readonly user_segment_id?: number;
  readonly user_segment_ids?: readonly number[];
  readonly label_names: readonly string[];
}

export interface SuspendedTicket {
  readonly subject: string;
  readonly content: string;
  readonly author_id: number;
}

/** All that a Zendesk account holds, and how its API shows it. */
export const createZendeskTables = (clock: VendorClock, files: FileHost, url: () => string) => {
  const users = createTable<User>(clock, 20_000);
  const organizations = createTable<Organization>(clock, 30_000);
  const groups = createTable<Group>(clock, 40_000);
  const fields = createTable<TicketField>(clock, 50_000);
  const tickets = createTable<Ticket>(clock, 1);
  const attachments = createTable<Attachment>(clock, 60_000);
  const articles = createTable<Article>(clock, 70_000);
  const suspended = createTable<SuspendedTicket>(clock, 80_000);
  const sections = createTable<{ readonly name: string }>(clock, 90_000);
  const brands = createTable<{ readonly name: string }>(clock, 95_000);
  const forms = createTable<{ readonly name: string }>(clock, 97_000);
  let commentId = 100_000;

  const times = ({ createdAt, updatedAt }: Row<unknown>) => ({
    created_at: isoSeconds(createdAt),
    updated_at: isoSeconds(updatedAt),
  });
  const at = (path: string) => `${url()}/api/v2/${path}.json`;
  const plain = (html: string) =>
    html
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  const storeAttachment = (file: StoredFile, inline: boolean): number => {
    const { id } = attachments.insert({ data: { file: "", inline }, written: false });
    const key = `a${id}`;
    files.store(key, file);
    attachments.update(id, { file: key });
    return id;
  };
  const attachmentWire = (id: number) => {
    const row = attachments.get(id);
    const file = files.file(row?.data.file ?? "");
    if (!row || !file) throw new Error(`No attachment ${id}.`);
    const link = files.link(row.data.file);
    return {
      id,
      url: at(`attachments/${id}`),
      file_name: file.name,
      content_url: link,
      mapped_content_url: link,
      content_type: file.mediaType,
      size: sizeOf(file.content),
      inline: row.data.inline,
      deleted: false,
      malware_access_override: false,
      malware_scan_result: "malware_not_found",
      thumbnails: [],
    };
  };
  const commentWire = (comment: Comment, inlineToo: boolean) => ({
    id: comment.id,
    type: comment.isCall ? "VoiceComment" : "Comment",
    author_id: comment.author_id,
    audit_id: comment.id + 1_000_000,
    body: plain(comment.html_body),
    // What a person wrote comes in an element of the vendor's.
    html_body: `<div class="zd-comment" dir="auto">${comment.html_body}</div>`,
    plain_body: plain(comment.html_body),
    public: comment.public,
    created_at: isoSeconds(comment.createdAt),
    attachments: comment.attachments.map(attachmentWire).filter(({ inline }) => inlineToo || !inline),
  });
  const ticketWire = ({ data, ...row }: Row<Ticket>) => {
    const { comments, commentChanges: _, imported: __, ...shown } = data;
    return {
      ...shown,
      id: row.id,
      url: at(`tickets/${row.id}`),
      ...times({ ...row, data }),
      raw_subject: data.subject,
      description: plain(comments[0]?.html_body ?? ""),
      status: row.deletedAt === null ? data.status : "deleted",
      brand_id: data.brand_id ?? null,
      ticket_form_id: data.ticket_form_id ?? null,
      follower_ids: [],
      email_cc_ids: [],
      followup_ids: [],
      has_incidents: false,
      is_public: comments.some((comment) => comment.public),
      recipient: null,
      via: { channel: data.imported ? "api" : "web", source: { from: {}, to: {}, rel: null } },
    };
  };

  /** Changes a comment as people do later, which moves nothing but the ticket. */
  const changeComment = (
    ticketId: number,
    id: number,
    changed: Partial<Comment>,
    event: Omit<CommentChange, "id" | "at">,
  ) => {
    const { comments, commentChanges = [] } = tickets.get(ticketId)?.data ?? { comments: [] };
    commentId += 1;
    tickets.update(ticketId, {
      comments: comments.map((comment) => (comment.id === id ? { ...comment, ...changed } : comment)),
      commentChanges: [...commentChanges, { ...event, id: commentId, at: clock.now() }],
    });
  };

  return {
    users,
    organizations,
    groups,
    fields,
    tickets,
    attachments,
    articles,
    suspended,
    sections,
    brands,
    forms,
    storeAttachment,
    attachmentWire,
    commentWire,
    ticketWire,
    newComment: (comment: Omit<Comment, "id">): Comment => {
      commentId += 1;
      return { ...comment, id: commentId };
    },
    makePrivate: (ticketId: number, id: number) =>
      changeComment(
        ticketId,
        id,
        { public: false },
        { event_type: "CommentPrivacyChange", comment_id: id, public: false },
      ),
    redact: (ticketId: number, id: number, words: string) => {
      const comment = tickets.get(ticketId)?.data.comments.find((each) => each.id === id);
      const html_body = comment?.html_body.replaceAll(words, "▇".repeat(words.length)) ?? "";
      changeComment(ticketId, id, { html_body }, { event_type: "CommentRedactionEvent", comment_id: id });
    },
    /** An empty file takes the place of the one that is removed. */
    redactFile: (ticketId: number, id: number, attachmentId: number) => {
      const file = { name: "redacted.txt", mediaType: "text/plain", content: Buffer.alloc(0) };
      const empty = storeAttachment(file, false);
      const comment = tickets.get(ticketId)?.data.comments.find((each) => each.id === id);
      const left = comment?.attachments.map((each) => (each === attachmentId ? empty : each)) ?? [];
      changeComment(
        ticketId,
        id,
        { attachments: left },
        { event_type: "AttachmentRedactionEvent", attachment_id: attachmentId },
      );
    },
    exportedTicketWire: (row: Row<Ticket>) => ({
      ...ticketWire(row),
      generated_timestamp: unixSeconds(row.touchedAt),
    }),
    userWire: ({ data, ...row }: Row<User>) => ({
      ...data,
      id: row.id,
      url: at(`users/${row.id}`),
      ...times({ ...row, data }),
      active: row.deletedAt === null,
      verified: true,
      suspended: data.suspended ?? false,
      shared: false,
      time_zone: "UTC",
      locale: "en-US",
    }),
    organizationWire: ({ data, ...row }: Row<Organization>) => ({
      ...data,
      id: row.id,
      url: at(`organizations/${row.id}`),
      ...times({ ...row, data }),
      group_id: null,
      shared_tickets: false,
      shared_comments: false,
    }),
    groupWire: ({ data, ...row }: Row<Group>) => ({
      ...data,
      id: row.id,
      url: at(`groups/${row.id}`),
      ...times({ ...row, data }),
      default: false,
      deleted: row.deletedAt !== null,
      is_public: true,
    }),
    brandWire: (row: Row<{ readonly name: string }>) => ({
      id: row.id,
      url: at(`brands/${row.id}`),
      ...times(row),
      name: row.data.name,
      subdomain: row.data.name.toLowerCase(),
      active: true,
      is_deleted: false,
    }),
    formWire: (row: Row<{ readonly name: string }>) => ({
      id: row.id,
      url: at(`ticket_forms/${row.id}`),
      ...times(row),
      name: row.data.name,
      active: true,
      position: 1,
    }),
    fieldWire: ({ data, ...row }: Row<TicketField>) => ({
      ...data,
      id: row.id,
      url: at(`ticket_fields/${row.id}`),
      ...times({ ...row, data }),
      raw_title: data.title,
      active: true,
      removable: true,
      required: false,
    }),
    articleWire: ({ data, ...row }: Row<Article>) => ({
      user_segment_id: null,
      ...data,
      id: row.id,
      url: at(`help_center/articles/${row.id}`),
      html_url: `${url()}/hc/articles/${row.id}`,
      ...times({ ...row, data }),
    }),
    suspendedWire: ({ data, ...row }: Row<SuspendedTicket>) => ({
      id: row.id,
      url: at(`suspended_tickets/${row.id}`),
      ...times({ ...row, data }),
      subject: data.subject,
      content: data.content,
      cause: "Detected as spam",
      author: { id: data.author_id, name: users.get(data.author_id)?.data.name ?? "", email: "" },
      recipient: "support@desk.example",
    }),
    /** The live contents, by table: what a person could see in the account. */
    dump: () => {
      const filesOf = attachments.live().map(({ id, data }) => {
        const file = files.file(data.file);
        return { id, name: file?.name, inline: data.inline, sha256: file && sha256Of(file.content) };
      });
      const used = new Set(
        tickets.live().flatMap(({ data }) => data.comments.flatMap((comment) => comment.attachments)),
      );
      return {
        users: dumpRows(users),
        organizations: dumpRows(organizations),
        groups: dumpRows(groups),
        fields: dumpRows(fields),
        tickets: dumpRows(tickets),
        articles: dumpRows(articles),
        attachments: filesOf.filter(({ id }) => used.has(id)),
      };
    },
    digest(): string {
      return digestOf(this.dump());
    },
  };
};

export type ZendeskTables = ReturnType<typeof createZendeskTables>;
