import { type CustomField, helpdesk, type RecordOf } from "@portage/connector-kit";
import { type Recognise, richTextOf } from "@portage/connector-kit/rich-text";
import { z } from "zod";

export type User = RecordOf<typeof helpdesk.users>;
export type Organization = RecordOf<typeof helpdesk.organizations>;
export type Contact = RecordOf<typeof helpdesk.contacts>;
export type Group = RecordOf<typeof helpdesk.groups>;
export type Ticket = RecordOf<typeof helpdesk.tickets>;
export type Comment = RecordOf<typeof helpdesk.comments>;
export type Attachment = RecordOf<typeof helpdesk.attachments>;

export const staffRow = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string().nullable(),
  admin: z.boolean(),
  left: z.boolean(),
});

export const companyRow = z.object({ id: z.number(), name: z.string(), domains: z.array(z.string()) });

export const clientRow = z.object({
  id: z.number(),
  name: z.string(),
  emails: z.array(z.string()),
  phone: z.string().nullable(),
  company: z.number().nullable(),
  changed: z.number(),
});

export const deskRow = z.object({ id: z.number(), name: z.string() });

const by = z.union([
  z.object({ client: z.number() }),
  z.object({ staff: z.number() }),
  z.object({ erased: z.literal(true) }),
]);

const fileRow = z.object({ id: z.number(), name: z.string(), type: z.string(), bytes: z.number() });

export const caseRow = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  state: z.object({ name: z.string(), ended: z.boolean() }),
  by,
  handled_by: z.number().nullable(),
  desk: z.number().nullable(),
  labels: z.array(z.string()),
  private: z.boolean(),
  extra: z.record(z.string(), z.string()),
  opened: z.number(),
  changed: z.number(),
  files: z.array(fileRow),
  removed: z.boolean(),
});

export const messageRow = z.object({
  id: z.number(),
  by,
  text: z.string(),
  audience: z.string(),
  at: z.number(),
  edited: z.number().nullable(),
  files: z.array(fileRow),
});

export const fieldRow = z.object({
  id: z.number(),
  name: z.string(),
  kind: z.string(),
  choices: z.array(z.string()).default([]),
});

export type CaseRow = z.infer<typeof caseRow>;

/** A case with what can only be read by way of it. */
export interface WholeCase {
  readonly row: CaseRow;
  readonly messages: readonly z.infer<typeof messageRow>[];
}

export const momentOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const idOf = (id: number | null) => (id === null ? null : String(id));

const personOf = (person: z.infer<typeof by>) => {
  if ("client" in person) return { stream: "contacts", id: String(person.client), name: null, email: null };
  if ("staff" in person) return { stream: "users", id: String(person.staff), name: null, email: null };
  return null;
};

export const toUser = (row: z.infer<typeof staffRow>): User =>
  helpdesk.users.make({
    id: String(row.id),
    name: row.name,
    email: row.email,
    active: !row.left,
    role: row.admin ? "admin" : "agent",
  });

export const toOrganization = ({ id, name, domains }: z.infer<typeof companyRow>): Organization =>
  helpdesk.organizations.make({ id: String(id), name, domains });

export const toContact = (row: z.infer<typeof clientRow>): Contact =>
  helpdesk.contacts.make({
    id: String(row.id),
    updatedAt: momentOf(row.changed),
    name: row.name,
    emails: row.emails,
    phones: row.phone === null ? [] : [row.phone],
    organizationId: idOf(row.company),
  });

export const toGroup = ({ id, name }: z.infer<typeof deskRow>): Group =>
  helpdesk.groups.make({ id: String(id), name });

export const toCustomField = ({ id, name, kind, choices }: z.infer<typeof fieldRow>): CustomField => ({
  key: String(id),
  label: name,
  required: false,
  writable: true,
  ...(kind === "choice"
    ? { type: kind, options: choices.map((value) => ({ value, label: value })) }
    : { type: "text" }),
});

/** Values of fields that were removed stay in the cases: only those of `fields` are copied. */
export const toTicket = (row: CaseRow, fields: readonly CustomField[], recognise: Recognise): Ticket =>
  helpdesk.tickets.make({
    id: row.id,
    createdAt: momentOf(row.opened),
    updatedAt: momentOf(row.changed),
    tags: row.labels,
    customFields: Object.fromEntries(
      Object.entries(row.extra).filter(([id]) => fields.some(({ key }) => key === id)),
    ),
    subject: row.title,
    description: row.text === "" ? null : richTextOf("markdown", row.text, recognise),
    status: row.state.name,
    statusKind: row.state.ended ? "closed" : "open",
    author: personOf(row.by),
    // For whom a case of the staff is, Quill does not tell.
    requester: "client" in row.by ? personOf(row.by) : null,
    assignee: row.handled_by === null ? null : personOf({ staff: row.handled_by }),
    groupId: idOf(row.desk),
    visibility: row.private ? "internal" : "public",
  });

/** Quill has no address for a message or the name of a file, only for their case: so their ids begin with its id. */
const idIn = ({ row }: WholeCase, id: number) => `${row.id}/${id}`;

export const caseOf = (id: string): string => id.split("/")[0] ?? "";

export const fileOf = (id: string): string => id.split("/")[1] ?? "";

export const toComments = (whole: WholeCase, recognise: Recognise): readonly Comment[] =>
  whole.messages.map((message) =>
    helpdesk.comments.make({
      id: idIn(whole, message.id),
      createdAt: momentOf(message.at),
      updatedAt: momentOf(message.edited ?? message.at),
      ticketId: whole.row.id,
      // "Everyone" does not include clients where only staff sees the case.
      visibility: message.audience === "everyone" && !whole.row.private ? "public" : "internal",
      body: richTextOf("markdown", message.text, recognise),
      author: personOf(message.by),
    }),
  );

export const toAttachments = (whole: WholeCase): readonly Attachment[] => {
  const { row, messages } = whole;
  const owners = [
    { stream: "tickets", id: row.id, by: row.by, at: row.opened, files: row.files },
    ...messages.map((message) => ({ ...message, stream: "comments", id: idIn(whole, message.id) })),
  ];
  return owners.flatMap(({ stream, id, by: person, at, files }) =>
    files.map((file) =>
      helpdesk.attachments.make({
        id: idIn(whole, file.id),
        createdAt: momentOf(at),
        parent: { stream, id },
        fileName: file.name,
        contentType: file.type,
        size: file.bytes,
        author: personOf(person),
      }),
    ),
  );
};
