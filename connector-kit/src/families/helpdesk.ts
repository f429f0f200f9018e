import { z } from "zod";
import { attachmentsOf } from "./attachments.ts";
import {
  author,
  id,
  optionalFlag,
  optionalMoment,
  optionalRef,
  optionalRichText,
  optionalText,
  optionalWho,
  recordFields,
  refs,
  richText,
  text,
  texts,
  visibility,
} from "./record-parts.ts";
import { familyStream, type Relation } from "./stream.ts";

const person: Relation = { to: ["users", "contacts"], missing: "clear" };
const agent: Relation = { to: ["users"], missing: "clear" };

const user = z.object({
  ...recordFields,
  name: text("The full name."),
  email: optionalText("What people are matched by."),
  active: z.boolean().default(true).describe("False: may no longer sign in."),
  role: z.enum(["admin", "agent"]).default("agent").describe("What they may do."),
});

const organizationAdded = {
  externalId: optionalText("Its id in another system: a customer number."),
};

const organization = z.object({
  ...recordFields,
  name: text("The company's name."),
  domains: z.array(z.string()).default([]).describe("Mail domains whose senders belong to it."),
  notes: optionalRichText("What agents wrote about it."),
  ...organizationAdded,
});

const contactAdded = {
  externalId: optionalText("The person's id in another system."),
  organizationIds: refs("All organizations, if there are several; `organizationId` is the main one."),
  active: optionalFlag("False: blocked, or may no longer sign in; null: the tool doesn't tell."),
};

const contact = z.object({
  ...recordFields,
  name: text("The full name, or what the tool shows instead."),
  emails: z.array(z.string()).default([]).describe("The first is the main one."),
  phones: z.array(z.string()).default([]).describe("As typed; the first is the main one."),
  organizationId: optionalRef("The organization."),
  locale: optionalText("BCP 47: pt-BR."),
  timeZone: optionalText("IANA: America/Sao_Paulo."),
  notes: optionalRichText("What agents wrote about the person."),
  ...contactAdded,
});

const group = z.object({
  ...recordFields,
  name: text("A team, department or queue."),
  description: optionalText("What it is for."),
  memberIds: refs("Its agents."),
});

const ticketAdded = {
  number: optionalText("The number by which people know it, if that is not the id."),
  externalId: optionalText("Its id in another system."),
  formName: optionalText("The form that it was filled in with, by name."),
  brand: optionalText("The brand that it was sent to, by name."),
  state: z
    .enum(["active", "archived", "deleted", "spam"])
    .nullable()
    .default(null)
    .describe("Where the tool keeps it; null: the tool doesn't tell."),
  mergedInto: optionalRef("The ticket that goes on in its place."),
  cc: texts("Mail addresses that get copies; `followers` has those who are people of the tool."),
};

const ticket = z.object({
  ...recordFields,
  subject: text("One line."),
  description: optionalRichText("The first message; null: the first comment is it."),
  status: text("The tool's own word."),
  statusKind: z
    .enum(["new", "open", "pending", "on_hold", "solved", "closed"])
    .describe("What that word means."),
  priority: optionalText("The tool's own word."),
  priorityKind: z
    .enum(["low", "normal", "high", "urgent"])
    .nullable()
    .default(null)
    .describe("What that word means."),
  type: optionalText("The tool's own word: question, incident, bug."),
  author,
  requester: optionalWho("For whom it is."),
  assignee: optionalWho("The agent who has it."),
  groupId: optionalRef("The group that has it."),
  organizationId: optionalRef("The organization it is about."),
  followers: z
    .array(z.object({ stream: z.string(), id }))
    .default([])
    .describe("Who gets copies."),
  channel: optionalText("How it came: email, web, phone, chat."),
  dueAt: optionalMoment("When it should be done."),
  solvedAt: optionalMoment("When it was done."),
  visibility: visibility.default("public"),
  ...ticketAdded,
});

const commentAdded = {
  kind: z
    .enum(["reply", "note", "forward", "call", "chat"])
    .nullable()
    .default(null)
    .describe("What it is; null: the tool doesn't tell."),
  incoming: optionalFlag(
    "True: from the customer's side; false: from an agent's; null: the tool doesn't tell.",
  ),
  to: texts("Mail addresses that it was sent to."),
  cc: texts("Mail addresses that got a copy."),
  channel: optionalText("How it came: email, web, phone, chat."),
};

const comment = z.object({
  ...recordFields,
  ticketId: id.describe("The ticket."),
  visibility,
  body: richText.describe("What was said."),
  author,
  ...commentAdded,
});

const article = z.object({
  ...recordFields,
  title: text("The headline."),
  body: richText.describe("The text."),
  path: z.array(z.string()).default([]).describe("Category, section, …, outermost first, by name."),
  state: z.enum(["draft", "published", "archived"]).describe("Who can see it."),
  locale: optionalText("BCP 47."),
  position: z.number().nullable().default(null).describe("Its place among its siblings."),
  author,
});

/** Customer support: people ask, agents answer. */
export const helpdesk = {
  users: familyStream("helpdesk", "users", { label: "Agents", kind: "people", schema: user }),
  organizations: familyStream("helpdesk", "organizations", {
    label: "Organizations",
    schema: organization,
    added: organizationAdded,
  }),
  contacts: familyStream("helpdesk", "contacts", {
    label: "Contacts",
    schema: contact,
    added: contactAdded,
    relations: {
      organizationId: { to: ["organizations"], missing: "clear" },
      organizationIds: { to: ["organizations"], missing: "clear" },
    },
  }),
  groups: familyStream("helpdesk", "groups", {
    label: "Groups",
    schema: group,
    relations: { memberIds: agent },
  }),
  tickets: familyStream("helpdesk", "tickets", {
    label: "Tickets",
    schema: ticket,
    added: ticketAdded,
    relations: {
      author: person,
      requester: person,
      assignee: agent,
      groupId: { to: ["groups"], missing: "clear" },
      organizationId: { to: ["organizations"], missing: "clear" },
      followers: person,
      mergedInto: { to: ["tickets"], missing: "clear" },
    },
  }),
  comments: familyStream("helpdesk", "comments", {
    label: "Comments",
    schema: comment,
    added: commentAdded,
    relations: { ticketId: { to: ["tickets"], missing: "skip" }, author: person },
    parent: "ticketId",
  }),
  articles: familyStream("helpdesk", "articles", {
    label: "Articles",
    schema: article,
    relations: { author: agent },
  }),
  attachments: attachmentsOf("helpdesk", ["tickets", "comments", "articles"]),
};
