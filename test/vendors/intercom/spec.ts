import type { Amendment } from "../kit/amend-excerpt.ts";
import type { ExcerptPlan, Shape } from "../kit/spec-excerpt.ts";

const calls = (method: string, ...paths: readonly string[]) => paths.map((path) => `${method} /${path}`);

/** What a connector reads. */
export const intercomPlan: ExcerptPlan = {
  operations: [
    ...calls(
      "GET",
      "me",
      "admins",
      "admins/{admin_id}",
      "teams",
      "companies/scroll",
      "companies/{company_id}",
      "contacts",
      "contacts/{contact_id}",
      "conversations",
      "conversations/{conversation_id}",
      "conversations/deleted",
      "tickets/{ticket_id}",
      "articles",
      "articles/{article_id}",
      "data_attributes",
      "ticket_types",
      "tags",
    ),
    ...calls("POST", "companies/list", "contacts/search", "conversations/search", "tickets/search"),
  ],
};

export const undescribed = ["GET /oauth", "POST /auth/eagle/token"] as const;

const integer: Shape = { type: "integer" };
const text: Shape = { type: "string" };
const orNull = (type: string): Shape => ({ type: [type, "null"] });

export const intercomAmendments: readonly Amendment[] = [
  {
    says: "Contacts and articles are paged by per_page and starting_after too",
    marks: ["S"],
    operations: calls("GET", "contacts", "articles"),
    place: "query",
    properties: { per_page: integer, starting_after: text, page: integer },
  },
  {
    says: "No person or no team is assigned: null",
    marks: ["K"],
    schema: "conversation",
    properties: {
      admin_assignee_id: orNull("integer"),
      team_assignee_id: orNull("integer"),
      title: orNull("string"),
    },
  },
  {
    says: "Lists have no assignee as null too, and the title",
    marks: ["S", "K"],
    schema: "conversation_list_item",
    properties: {
      admin_assignee_id: orNull("integer"),
      team_assignee_id: orNull("integer"),
      title: orNull("string"),
    },
  },
  {
    says: "Tickets without an assignee have null",
    marks: ["K"],
    schema: "ticket",
    properties: { admin_assignee_id: orNull("integer"), team_assignee_id: orNull("integer") },
  },
  {
    says: "An author that is gone has no address",
    marks: ["A", "K"],
    schema: "conversation_part_author",
    properties: { email: orNull("string") },
  },
  {
    says: "Authors of parts of tickets may be leads, and may have no address",
    marks: ["K"],
    schema: "ticket_part_author",
    properties: { email: orNull("string"), type: text },
  },
  {
    says: "A contact without an address has null",
    marks: ["K"],
    schema: "contact",
    properties: { email: orNull("string") },
  },
  {
    says: "A contact that is read alone and has no address has null, too",
    marks: ["K"],
    operations: calls("GET", "contacts/{contact_id}"),
    status: 200,
    properties: { email: orNull("string") },
  },
  {
    says: "The last page of a list has no next one",
    marks: ["S"],
    schema: "cursor_pages",
    properties: { next: { anyOf: [{ $ref: "vendor#/$defs/starting_after_paging" }, { type: "null" }] } },
  },
];
