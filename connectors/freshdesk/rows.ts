import { z } from "zod";

const id = z.number();
const times = { created_at: z.string().nullish(), updated_at: z.string().nullish() };
const custom = z.record(z.string(), z.unknown()).nullish();
const texts = z.array(z.string()).nullish();

export const agentRow = z.object({
  id,
  type: z.string().nullish(),
  contact: z.object({
    name: z.string().nullish(),
    email: z.string().nullish(),
    active: z.boolean().nullish(),
  }),
  ...times,
});

export const companyRow = z.object({
  id,
  name: z.string(),
  description: z.string().nullish(),
  note: z.string().nullish(),
  domains: texts,
  custom_fields: custom,
  ...times,
});

export const contactRow = z.object({
  id,
  name: z.string().nullish(),
  email: z.string().nullish(),
  other_emails: texts,
  phone: z.string().nullish(),
  mobile: z.string().nullish(),
  company_id: id.nullish(),
  language: z.string().nullish(),
  time_zone: z.string().nullish(),
  description: z.string().nullish(),
  tags: texts,
  custom_fields: custom,
  unique_external_id: z.string().nullish(),
  deleted: z.boolean().nullish(),
  ...times,
});

export const groupRow = z.object({
  id,
  name: z.string(),
  description: z.string().nullish(),
  agent_ids: z.array(id).nullish(),
  ...times,
});

export const attachmentRow = z.object({
  id,
  name: z.string(),
  content_type: z.string().nullish(),
  size: z.number().nullish(),
  attachment_url: z.string(),
  ...times,
});

export const ticketRow = z.object({
  id,
  subject: z.string().nullish(),
  description: z.string().nullish(),
  status: z.number(),
  priority: z.number().nullish(),
  source: z.number().nullish(),
  type: z.string().nullish(),
  requester_id: id.nullish(),
  responder_id: id.nullish(),
  group_id: id.nullish(),
  company_id: id.nullish(),
  due_by: z.string().nullish(),
  cc_emails: texts,
  spam: z.boolean().nullish(),
  deleted: z.boolean().nullish(),
  tags: texts,
  custom_fields: custom,
  attachments: z.array(attachmentRow).nullish(),
  ...times,
});

export const conversationRow = z.object({
  id,
  ticket_id: id.nullish(),
  body: z.string().nullish(),
  source: z.number().nullish(),
  incoming: z.boolean().nullish(),
  private: z.boolean().nullish(),
  to_emails: texts,
  cc_emails: texts,
  user_id: id.nullish(),
  attachments: z.array(attachmentRow).nullish(),
  ...times,
});

export const fieldRow = z.object({
  id,
  name: z.string(),
  label: z.string(),
  label_for_customers: z.string().nullish(),
  type: z.string(),
  required_for_agents: z.boolean().nullish(),
  choices: z.unknown(),
});

export const namedRow = z.object({ id, name: z.string() });

export const folderRow = namedRow.extend({ visibility: z.number().nullish() });

export const articleRow = z.object({
  id,
  title: z.string(),
  description: z.string().nullish(),
  status: z.number(),
  folder_id: id.nullish(),
  agent_id: id.nullish(),
  tags: texts,
  ...times,
});

export type Agent = z.infer<typeof agentRow>;
export type Company = z.infer<typeof companyRow>;
export type Contact = z.infer<typeof contactRow>;
export type Group = z.infer<typeof groupRow>;
export type Attachment = z.infer<typeof attachmentRow>;
export type Ticket = z.infer<typeof ticketRow>;
export type Conversation = z.infer<typeof conversationRow> & { readonly ticketId: string };
export type Field = z.infer<typeof fieldRow>;
export type Article = z.infer<typeof articleRow>;
