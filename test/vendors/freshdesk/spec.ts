import type { Amendment } from "../kit/amend-excerpt.ts";
import type { ExcerptPlan, Shape } from "../kit/spec-excerpt.ts";

const calls = (method: string, ...paths: readonly string[]) => paths.map((path) => `${method} /${path}`);

const operations = [
  ...calls(
    "GET",
    "tickets",
    "tickets/{ticket_id}",
    "tickets/{ticket_id}/conversations",
    "contacts",
    "contacts/{contact_id}",
    "companies",
    "companies/{company_id}",
    "agents",
    "agents/{agent_id}",
    "groups",
    "groups/{group_id}",
    "ticket_fields",
    "contact_fields",
    "company_fields",
    "solutions/categories",
    "solutions/categories/{category_id}/folders",
    "solutions/folders/{folder_id}/articles",
    "solutions/articles/{article_id}",
    "search/tickets",
    "search/contacts",
  ),
  ...calls(
    "POST",
    "tickets",
    "tickets/outbound_email",
    "tickets/{ticket_id}/reply",
    "tickets/{ticket_id}/notes",
    "contacts",
    "companies",
    "groups",
    "solutions/categories",
    "solutions/categories/{category_id}/folders",
    "solutions/folders/{folder_id}/articles",
  ),
  ...calls(
    "PUT",
    "tickets/{ticket_id}",
    "tickets/{ticket_id}/restore",
    "conversations/{conversation_id}",
    "contacts/{contact_id}",
    "companies/{company_id}",
    "groups/{group_id}",
  ),
  ...calls(
    "DELETE",
    "tickets/{ticket_id}",
    "conversations/{conversation_id}",
    "contacts/{contact_id}",
    "companies/{company_id}",
    "groups/{group_id}",
    "solutions/articles/{article_id}",
  ),
];

/** What a connector may call. The vendor publishes no file: this one is a third party's. */
export const freshdeskPlan: ExcerptPlan = { operations };

/** Operations that the file does not have: nothing holds the stand-in's answers to a schema. */
export const undescribed = [
  ...calls(
    "GET",
    "agents/me",
    "admin/ticket_fields",
    "tickets/archived/{ticket_id}",
    "tickets/archived/{ticket_id}/conversations",
  ),
  ...calls("POST", "admin/ticket_fields"),
  ...calls("DELETE", "admin/ticket_fields/{field_id}", "contacts/{contact_id}/hard_delete"),
] as const;

const integer: Shape = { type: "integer" };
const text: Shape = { type: "string" };
const flag: Shape = { type: "boolean" };
const orNull = (type: string): Shape => ({ type: [type, "null"] });
const named = (name: string): Shape => ({ $ref: `vendor#/$defs/${name}` });
const listOf = (items: Shape): Shape => ({ type: "array", items });
const conflict: Shape = {
  type: "object",
  properties: {
    description: text,
    errors: listOf({
      type: "object",
      properties: {
        field: text,
        message: text,
        code: text,
        additional_info: { type: "object", properties: { user_id: integer } },
      },
    }),
  },
};

export const freshdeskAmendments: readonly Amendment[] = [
  {
    says: "404 has an empty body",
    marks: ["S", "K"],
    operations,
    status: 404,
    answer: null,
  },
  {
    says: "401 has code and message",
    marks: ["K"],
    operations,
    status: 401,
    answer: { type: "object", required: ["code", "message"], properties: { code: text, message: text } },
  },
  {
    says: "A duplicate is refused with 409, which names the contact that has the value",
    marks: ["K"],
    operations: [
      ...calls("POST", "contacts", "companies", "groups"),
      ...calls("PUT", "contacts/{contact_id}", "companies/{company_id}", "groups/{group_id}"),
    ],
    status: 409,
    answer: conflict,
  },
  {
    says: "Statuses from 6 on are the account's own, and source 15 is the web chat",
    marks: ["I", "K"],
    schema: "Ticket",
    properties: { status: { type: "integer", minimum: 2 }, source: integer },
  },
  {
    says: "Tickets have files, say that they are deleted, and have no description in lists",
    marks: ["W", "K"],
    schema: "Ticket",
    properties: {
      deleted: flag,
      attachments: listOf(named("Attachment")),
      conversations: listOf(named("Conversation")),
      association_type: orNull("integer"),
    },
  },
  {
    says: "A new ticket takes a company",
    marks: ["K"],
    schema: "TicketCreate",
    properties: { company_id: integer, status: { type: "integer", minimum: 2 } },
  },
  {
    says: "A change of a ticket takes null for what it clears, and the account's own statuses",
    marks: ["K"],
    schema: "TicketUpdate",
    properties: {
      status: { type: "integer", minimum: 2 },
      responder_id: orNull("integer"),
      group_id: orNull("integer"),
      type: orNull("string"),
    },
  },
  {
    says: "A change of a conversation that Freshdesk does not allow is refused with 400",
    marks: ["W"],
    operations: calls("PUT", "conversations/{conversation_id}"),
    status: 400,
    answer: conflict,
  },
  {
    says: "A note takes user_id, its author",
    marks: ["K"],
    schema: "NoteCreate",
    properties: { user_id: integer },
  },
  {
    says: "Contacts have unique_external_id, deleted, and no address if they have a phone",
    marks: ["K"],
    schema: "Contact",
    properties: { email: orNull("string"), unique_external_id: orNull("string"), deleted: flag },
  },
  {
    says: "A new contact takes unique_external_id",
    marks: ["K"],
    schema: "ContactCreate",
    properties: { unique_external_id: text },
  },
  {
    says: "Contacts are listed by _updated_since and unique_external_id too",
    marks: ["K"],
    operations: calls("GET", "contacts"),
    place: "query",
    properties: { _updated_since: { type: "string", format: "date-time" }, unique_external_id: text },
  },
  {
    says: "Searches take page",
    marks: ["W", "G"],
    operations: calls("GET", "search/tickets", "search/contacts"),
    place: "query",
    properties: { page: integer },
  },
  {
    says: "A field's choices are a list, or an object in which levels are nested",
    marks: ["K"],
    schema: "Field",
    properties: {
      choices: {},
      label_for_customers: text,
      nested_ticket_fields: listOf({ type: "object", properties: { name: text, level: integer } }),
    },
  },
];
