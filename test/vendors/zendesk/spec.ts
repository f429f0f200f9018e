import type { Amendment } from "../kit/amend-excerpt.ts";
import type { ExcerptPlan, Shape } from "../kit/spec-excerpt.ts";

const api = "/api/v2";
const calls = (method: string, ...paths: readonly string[]) =>
  paths.map((path) => `${method} ${api}/${path}`);

const exports = calls(
  "GET",
  "incremental/tickets/cursor",
  "incremental/users/cursor",
  "incremental/organizations",
  "incremental/ticket_events",
);
const lists = calls(
  "GET",
  "brands",
  "deleted_tickets",
  "groups",
  "job_statuses",
  "organization_fields",
  "organizations",
  "organizations/search",
  "search",
  "search/export",
  "suspended_tickets",
  "ticket_fields",
  "ticket_forms",
  "tickets",
  "tickets/{ticket_id}/comments",
  "user_fields",
  "users",
  "users/search",
);

/** What a connector may call: what it needs, and what it must not fall for. */
export const zendeskPlan: ExcerptPlan = {
  operations: [
    ...exports,
    ...lists,
    ...calls(
      "GET",
      "attachments/{attachment_id}",
      "groups/{group_id}",
      "job_statuses/{job_status_id}",
      "job_statuses/show_many",
      "organizations/{organization_id}",
      "organizations/count",
      "organizations/show_many",
      "tickets/{ticket_id}",
      "tickets/count",
      "tickets/show_many",
      "users/{user_id}",
      "users/{user_id}/related",
      "users/count",
      "users/me",
      "users/show_many",
    ),
    ...calls(
      "POST",
      "groups",
      "imports/tickets",
      "imports/tickets/create_many",
      "organizations",
      "organizations/create_or_update",
      "ticket_fields",
      "tickets",
      "tickets/create_many",
      "uploads",
      "users",
      "users/create_many",
      "users/create_or_update",
      "users/create_or_update_many",
    ),
    ...calls(
      "PUT",
      "groups/{group_id}",
      "organizations/{organization_id}",
      "tickets/{ticket_id}",
      "tickets/{ticket_id}/comments/{ticket_comment_id}/make_private",
      "users/{user_id}",
    ),
    ...calls("PUT", "deleted_tickets/restore_many"),
    ...calls(
      "DELETE",
      "deleted_tickets/destroy_many",
      "deleted_users/{deleted_user_id}",
      "groups/{group_id}",
      "organizations/{organization_id}",
      "ticket_fields/{ticket_field_id}",
      "tickets/{ticket_id}",
      "tickets/destroy_many",
      "uploads/{token}",
      "users/{user_id}",
    ),
  ],
};

/** Operations that the vendor's file does not have: nothing holds the stand-in's answers to a schema. */
export const undescribed = [
  "GET /oauth/authorizations/new",
  "POST /oauth/tokens",
  ...calls(
    "GET",
    "help_center/articles",
    "help_center/articles/{article_id}",
    "help_center/sections",
    "help_center/categories",
  ),
  ...calls("POST", "help_center/sections/{section_id}/articles"),
  ...calls("DELETE", "help_center/articles/{article_id}"),
] as const;

const integer: Shape = { type: "integer" };
const text: Shape = { type: "string" };
const flag: Shape = { type: "boolean" };
const orNull = (type: string): Shape => ({ type: [type, "null"] });
const named = (name: string): Shape => ({ $ref: `vendor#/$defs/${name}` });
const listOf = (items: Shape): Shape => ({ type: "array", items });
const nullable = (type: string, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, orNull(type)]));

const importable: Readonly<Record<string, Shape>> = {
  ...nullable(
    "integer",
    "assignee_id",
    "submitter_id",
    "group_id",
    "organization_id",
    "brand_id",
    "problem_id",
    "ticket_form_id",
  ),
  external_id: orNull("string"),
  description: text,
  status: { type: "string", enum: ["new", "open", "pending", "hold", "solved", "closed"] },
  priority: { type: ["string", "null"], enum: ["urgent", "high", "normal", "low", null] },
  type: { type: ["string", "null"], enum: ["problem", "incident", "question", "task", null] },
  created_at: { type: "string", format: "date-time" },
  updated_at: { type: "string", format: "date-time" },
  solved_at: { type: ["string", "null"], format: "date-time" },
  due_at: { type: ["string", "null"], format: "date-time" },
  custom_fields: listOf({ type: "object", properties: { id: integer, value: {} }, required: ["id"] }),
  collaborator_ids: listOf(integer),
  email_cc_ids: listOf(integer),
  follower_ids: listOf(integer),
};

const fieldInput: Shape = {
  type: "object",
  required: ["ticket_field"],
  properties: {
    ticket_field: named("TicketFieldObject"),
  },
};

export const zendeskAmendments: readonly Amendment[] = [
  {
    says: "Lists are paged by page[size] and page[after], or by page and per_page",
    marks: ["K"],
    operations: lists,
    place: "query",
    properties: {
      page: integer,
      per_page: integer,
      "page[size]": integer,
      "page[after]": text,
      include: text,
    },
  },
  {
    says: "A list has count, next_page and previous_page, or meta and links",
    marks: ["K"],
    operations: lists,
    status: 200,
    properties: {
      count: integer,
      next_page: orNull("string"),
      previous_page: orNull("string"),
      meta: {
        type: "object",
        properties: { has_more: flag, after_cursor: orNull("string"), before_cursor: orNull("string") },
      },
      links: { type: "object", properties: { next: orNull("string"), prev: orNull("string") } },
    },
  },
  {
    says: "The list of tickets is sorted by sort",
    marks: ["K"],
    operations: calls("GET", "tickets"),
    place: "query",
    properties: { sort: text },
  },
  {
    says: "A change of a ticket clears a property by null",
    marks: ["K"],
    schema: "TicketUpdateInput",
    properties: {
      ...nullable("integer", "assignee_id", "group_id", "organization_id"),
      priority: { type: ["string", "null"], enum: ["urgent", "high", "normal", "low", null] },
      type: { type: ["string", "null"], enum: ["problem", "incident", "question", "task", null] },
      due_at: { type: ["string", "null"], format: "date-time" },
    },
  },
  {
    says: "Only the first call of a cursor export has start_time",
    marks: ["S", "I"],
    operations: calls("GET", "incremental/tickets/cursor", "incremental/users/cursor"),
    place: "query",
    optional: ["start_time"],
  },
  {
    says: "Exports take per_page and include",
    marks: ["S", "A"],
    operations: exports,
    place: "query",
    properties: { per_page: integer, include: text },
  },
  {
    says: "The file lists user_id and group_id as parameters of the path; a list takes them in the query",
    marks: ["K"],
    operations: calls("GET", "groups"),
    place: "query",
    properties: { user_id: integer },
  },
  {
    says: "A ticket's properties are null when they are not set",
    marks: ["K"],
    schema: "TicketObject",
    properties: {
      ...nullable(
        "integer",
        "assignee_id",
        "brand_id",
        "custom_status_id",
        "forum_topic_id",
        "group_id",
        "organization_id",
        "problem_id",
        "ticket_form_id",
      ),
      ...nullable("string", "external_id", "recipient", "subject", "raw_subject"),
      priority: { type: ["string", "null"], enum: ["urgent", "high", "normal", "low", null] },
      type: { type: ["string", "null"], enum: ["problem", "incident", "question", "task", null] },
    },
  },
  {
    says: "A custom field's value is a text, a truth value, a list of tags, or null",
    marks: ["K"],
    schema: "TicketObject",
    properties: {
      custom_fields: listOf({
        type: "object",
        properties: { id: integer, value: { type: ["string", "boolean", "number", "array", "null"] } },
      }),
    },
  },
  {
    says: "Exports have deleted tickets, with the status deleted, and generated_timestamp",
    marks: ["A", "I"],
    schema: "TicketObject",
    properties: {
      status: { type: "string", enum: ["new", "open", "pending", "hold", "solved", "closed", "deleted"] },
      generated_timestamp: integer,
    },
  },
  {
    says: "An imported ticket takes the properties of a new one, and its dates",
    marks: ["S", "D"],
    schema: "TicketImportInput",
    properties: importable,
  },
  {
    says: "People without an address, a login or a time zone have null there",
    marks: ["K"],
    schema: "UserForAdmin",
    properties: nullable("string", "email", "details", "notes", "alias", "last_login_at"),
  },
  {
    says: "A new user takes the properties of a user, skip_verify_email too, and needs no address; a change needs no name",
    marks: ["S"],
    schema: "UserCreateInput",
    properties: {
      skip_verify_email: flag,
      verified: flag,
      suspended: flag,
      ...nullable("string", "phone", "external_id", "details", "notes", "time_zone", "locale"),
      organization_id: orNull("integer"),
      tags: listOf(text),
      user_fields: { type: "object", additionalProperties: true },
    },
    optional: ["name", "email"],
  },
  ...(["organizations/{organization_id}", "organizations/create_or_update"] as const).map(
    (path): Amendment => ({
      says: "Changing an organization takes the body that creating one takes",
      marks: ["S"],
      operations: [path.endsWith("}") ? `PUT ${api}/${path}` : `POST ${api}/${path}`],
      body: {
        type: "object",
        required: ["organization"],
        properties: { organization: named("OrganizationObject") },
      },
    }),
  ),
  {
    says: "Changing an organization needs no name",
    marks: ["K"],
    schema: "OrganizationObject",
    optional: ["name"],
  },
  {
    says: "A group is created and changed by its own properties",
    marks: ["S"],
    operations: [...calls("POST", "groups"), ...calls("PUT", "groups/{group_id}")],
    body: { type: "object", required: ["group"], properties: { group: named("GroupObject") } },
  },
  {
    says: "A ticket field is created by its own properties",
    marks: ["S"],
    operations: calls("POST", "ticket_fields"),
    body: fieldInput,
  },
  {
    says: "POST /uploads takes filename and token in its address, and the file as its body",
    marks: ["S"],
    operations: calls("POST", "uploads"),
    place: "query",
    properties: { filename: text, token: text },
  },
  {
    says: "What failed in a job has its index, an error and details",
    marks: ["K"],
    schema: "CreateResourceResult",
    properties: {
      error: text,
      details: text,
      external_id: orNull("string"),
      success: flag,
      action: text,
      status: text,
    },
    optional: ["id"],
  },
  {
    says: "The results of a job are null until it is completed",
    marks: ["K"],
    schema: "JobStatusObject",
    properties: {
      results: {
        anyOf: [
          listOf(named("JobStatusResultObject")),
          { type: "object", properties: { success: flag }, required: ["success"] },
          { type: "null" },
        ],
      },
    },
  },
  {
    says: "Restoring answers an empty object",
    marks: ["S"],
    operations: calls("PUT", "deleted_tickets/restore_many"),
    status: 200,
    answer: { type: "object" },
  },
  {
    says: "Ticket events have child events: with include=comment_events those of type Comment have the comment, and those of later changes name it",
    marks: ["A", "D", "K"],
    operations: calls("GET", "incremental/ticket_events"),
    status: 200,
    properties: {
      ticket_events: listOf({
        type: "object",
        properties: {
          id: integer,
          ticket_id: integer,
          timestamp: integer,
          created_at: { type: "string", format: "date-time" },
          updater_id: integer,
          via: text,
          event_type: text,
          child_events: listOf({
            type: "object",
            properties: {
              id: integer,
              event_type: text,
              type: text,
              via: text,
              author_id: integer,
              audit_id: integer,
              comment_id: integer,
              attachment_id: integer,
              body: text,
              html_body: text,
              plain_body: text,
              public: flag,
              created_at: { type: "string", format: "date-time" },
              attachments: listOf(named("AttachmentObject")),
            },
          }),
        },
      }),
    },
  },
  {
    says: "The caller is a user like any other",
    marks: ["S"],
    operations: calls("GET", "users/me"),
    status: 200,
    answer: { type: "object", required: ["user"], properties: { user: named("UserForAdmin") } },
  },
  {
    says: "A search finds whole tickets, users and organizations",
    marks: ["K"],
    operations: calls("GET", "search", "search/export"),
    status: 200,
    properties: { results: listOf({ type: "object" }) },
  },
  {
    says: "A comment's uploads are tokens, and its creation time can be set in an import",
    marks: ["S"],
    schema: "TicketCommentObject",
    properties: { uploads: listOf(text) },
  },
];
