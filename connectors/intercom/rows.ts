import { z } from "zod";

const id = z.string();
const text = z.string().nullish();
/** Unix seconds. */
const moment = z.number().nullish();
const times = { created_at: moment, updated_at: moment };
const attributes = z.record(z.string(), z.unknown()).nullish();
const tags = z.object({ tags: z.array(z.object({ name: text })).nullish() }).nullish();

export const adminRow = z.object({ id, name: text, email: text });

export const meRow = adminRow.extend({ app: z.object({ id_code: text, name: text }).nullish() });

export const teamRow = z.object({ id, name: text, admin_ids: z.array(z.number()).nullish() });

export const companyRow = z.object({
  id,
  name: text,
  company_id: text,
  custom_attributes: attributes,
  tags,
  ...times,
});

export const contactRow = z.object({
  id,
  external_id: text,
  name: text,
  email: text,
  phone: text,
  language_override: text,
  browser_language: text,
  companies: z.object({ data: z.array(z.object({ id })).nullish() }).nullish(),
  tags: z.object({ data: z.array(z.object({ id })).nullish() }).nullish(),
  custom_attributes: attributes,
  ...times,
});

const authorRow = z.object({ type: text, id: id.nullish(), name: text, email: text });

const fileRow = z.object({
  name: text,
  url: z.string(),
  content_type: text,
  filesize: z.number().nullish(),
});

const messageRow = z.object({
  body: text,
  author: authorRow.nullish(),
  attachments: z.array(fileRow).nullish(),
});

const partRow = messageRow.extend({ id, part_type: z.string(), ...times });

const assigned = {
  admin_assignee_id: z.union([z.number(), z.string()]).nullish(),
  team_assignee_id: z.union([z.number(), z.string()]).nullish(),
  contacts: z.object({ contacts: z.array(z.object({ id })).nullish() }).nullish(),
};

export const conversationRow = z.object({
  id,
  title: text,
  state: z.string(),
  priority: text,
  source: messageRow.extend({ type: text, subject: text }).nullish(),
  company: z.object({ id: id.nullish() }).nullish(),
  tags,
  custom_attributes: attributes,
  conversation_parts: z
    .object({ conversation_parts: z.array(partRow), total_count: z.number().nullish() })
    .nullish(),
  ...assigned,
  ...times,
});

export const ticketRow = z.object({
  id,
  /** The number that people see. */
  ticket_id: text,
  ticket_attributes: attributes,
  ticket_state: z.object({ category: text, internal_label: text }).nullish(),
  ticket_type: z.object({ name: text }).nullish(),
  ticket_parts: z.object({ ticket_parts: z.array(partRow), total_count: z.number().nullish() }).nullish(),
  ...assigned,
  ...times,
});

export const articleRow = z.object({
  id,
  title: text,
  body: text,
  author_id: z.number().nullish(),
  state: text,
  help_center_audience: text,
  default_locale: text,
  tags,
  ...times,
});

export const attributeRow = z.object({
  name: z.string(),
  label: text,
  data_type: z.string(),
  options: z.array(z.string()).nullish(),
  custom: z.boolean().nullish(),
});

/** An attribute of a type of tickets. */
const ticketAttributeRow = z.object({
  name: z.string(),
  data_type: z.string(),
  default: z.boolean().nullish(),
});

export const ticketTypeRow = z.object({
  ticket_type_attributes: z
    .object({ ticket_type_attributes: z.array(ticketAttributeRow).nullish() })
    .nullish(),
});

export type Admin = z.infer<typeof adminRow>;
export type Team = z.infer<typeof teamRow>;
export type Company = z.infer<typeof companyRow>;
export type Contact = z.infer<typeof contactRow>;
export type Author = z.infer<typeof authorRow>;
export type Message = z.infer<typeof messageRow>;
export type Part = z.infer<typeof partRow>;
export type Conversation = z.infer<typeof conversationRow>;
export type Ticket = z.infer<typeof ticketRow>;
export type Article = z.infer<typeof articleRow>;
