import { z } from "zod";
import { attachmentsOf } from "./attachments.ts";
import {
  author,
  id,
  optionalMoment,
  optionalRef,
  optionalRichText,
  optionalText,
  optionalWho,
  recordFields,
  refs,
  richText,
  text,
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

const organization = z.object({
  ...recordFields,
  name: text("The company's name."),
  domains: z.array(z.string()).default([]).describe("Mail domains whose senders belong to it."),
  notes: optionalRichText("What agents wrote about it."),
});

const contact = z.object({
  ...recordFields,
  name: text("The full name, or what the tool shows instead."),
  emails: z.array(z.string()).default([]).describe("The first is the main one."),
  phones: z.array(z.string()).default([]).describe("As typed; the first is the main one."),
  organizationId: optionalRef("The organization."),
  locale: optionalText("BCP 47: pt-BR."),
  timeZone: optionalText("IANA: America/Sao_Paulo."),
  notes: optionalRichText("What agents wrote about the person."),
});

const group = z.object({
  ...recordFields,
  name: text("A team, department or queue."),
  description: optionalText("What it is for."),
  memberIds: refs("Its agents."),
});

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
});

const comment = z.object({
  ...recordFields,
  ticketId: id.describe("The ticket."),
  visibility,
  body: richText.describe("What was said."),
  author,
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
  organizations: familyStream("helpdesk", "organizations", { label: "Organizations", schema: organization }),
  contacts: familyStream("helpdesk", "contacts", {
    label: "Contacts",
    schema: contact,
    relations: { organizationId: { to: ["organizations"], missing: "clear" } },
  }),
  groups: familyStream("helpdesk", "groups", {
    label: "Groups",
    schema: group,
    relations: { memberIds: agent },
  }),
  tickets: familyStream("helpdesk", "tickets", {
    label: "Tickets",
    schema: ticket,
    relations: {
      author: person,
      requester: person,
      assignee: agent,
      groupId: { to: ["groups"], missing: "clear" },
      organizationId: { to: ["organizations"], missing: "clear" },
      followers: person,
    },
  }),
  comments: familyStream("helpdesk", "comments", {
    label: "Comments",
    schema: comment,
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
