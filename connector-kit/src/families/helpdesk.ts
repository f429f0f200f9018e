import { z } from "zod";
import { attachmentsOf } from "./attachments.ts";
import {
  addedToAll,
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
const ofTicket: Relation = { to: ["tickets"], missing: "skip" };

const user = z.object({
  ...recordFields,
  name: text("The full name."),
  email: optionalText("What people are matched by."),
  active: z.boolean().default(true).describe("False: may no longer sign in."),
  role: z.enum(["admin", "agent"]).default("agent").describe("What they may do."),
  ...addedToAll,
});

const organization = z.object({
  ...recordFields,
  name: text("The company's name."),
  domains: z.array(z.string()).default([]).describe("Mail domains whose senders belong to it."),
  notes: optionalRichText("What agents wrote about it."),
  ...addedToAll,
});

const contactAdded = {
  ...addedToAll,
  organizationIds: refs("All organizations, if there are several; `organizationId` is the main one."),
  active: optionalFlag("False: blocked, or may no longer sign in; null: the tool doesn't tell."),
  pictureUrl: optionalText("Where a picture of the person is shown from."),
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
  ...addedToAll,
});

const brand = z.object({
  ...recordFields,
  name: text("The name that customers know."),
  url: optionalText("The address of its help pages."),
  active: z.boolean().default(true).describe("False: takes no more tickets."),
  ...addedToAll,
});

const ticketAdded = {
  number: optionalText("The number by which people know it, if that is not the id."),
  ...addedToAll,
  formName: optionalText("The form that it was filled in with, by name."),
  brand: optionalText("The brand that it was sent to, by name."),
  state: z
    .enum(["active", "archived", "deleted", "spam"])
    .nullable()
    .default(null)
    .describe("Where the tool keeps it; null: the tool doesn't tell."),
  mergedInto: optionalRef("The ticket that goes on in its place."),
  cc: texts("Mail addresses that get copies; `followers` has those who are people of the tool."),
  brandId: optionalRef("That brand as a record."),
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
  ...addedToAll,
};

const comment = z.object({
  ...recordFields,
  ticketId: id.describe("The ticket."),
  visibility,
  body: richText.describe("What was said."),
  author,
  ...commentAdded,
});

const ticketRelation = z.object({
  ...recordFields,
  fromTicketId: id.describe("The ticket that the kind speaks of."),
  toTicketId: id.describe("The other one."),
  kind: z
    .enum(["relates", "duplicates", "parent_of", "causes"])
    .describe("`from` does this to `to`; a problem causes its incidents."),
  ...addedToAll,
});

const timeEntry = z.object({
  ...recordFields,
  ticketId: id.describe("The ticket."),
  author,
  startedAt: optionalMoment("When the work began."),
  minutes: z.number().min(0).describe("How long."),
  billable: optionalFlag("Whether the customer pays for it; null: the tool doesn't tell."),
  note: optionalText("What was done."),
  ...addedToAll,
});

const rating = z.object({
  ...recordFields,
  ticketId: id.describe("The ticket."),
  author,
  score: z.enum(["good", "neutral", "bad"]).describe("What the customer's answer means."),
  word: optionalText("The tool's own word or number for it."),
  comment: optionalText("What the customer wrote."),
  ...addedToAll,
});

const macro = z.object({
  ...recordFields,
  name: text("What agents choose it by."),
  path: z.array(z.string()).default([]).describe("Folders, outermost first, by name."),
  body: richText.describe("The text that it puts into an answer; placeholders stay as they are."),
  active: z.boolean().default(true).describe("False: agents don't see it."),
  groupIds: refs("The groups that may use it; none: all."),
  ...addedToAll,
});

const articleCategory = z.object({
  ...recordFields,
  name: text("The name for people."),
  description: optionalRichText("What readers find in it."),
  parentCategoryId: optionalRef("The category that this one is under."),
  position: z.number().nullable().default(null).describe("Its place among its siblings."),
  locale: optionalText("BCP 47."),
  ...addedToAll,
});

const articleAdded = {
  categoryId: optionalRef("The innermost category; `path` has the names of all."),
  ...addedToAll,
};

const articleTranslation = z.object({
  ...recordFields,
  articleId: id.describe("The article, which has its own language."),
  locale: text("BCP 47."),
  title: text("The headline."),
  body: richText.describe("The text."),
  state: z.enum(["draft", "published", "archived"]).describe("Who can see it."),
  author,
  ...addedToAll,
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
  ...articleAdded,
});

/** Customer support: people ask, agents answer. */
export const helpdesk = {
  users: familyStream("helpdesk", "users", {
    label: "Agents",
    kind: "people",
    schema: user,
    added: addedToAll,
  }),
  organizations: familyStream("helpdesk", "organizations", {
    label: "Organizations",
    schema: organization,
    added: addedToAll,
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
    added: addedToAll,
    relations: { memberIds: agent },
  }),
  brands: familyStream("helpdesk", "brands", { label: "Brands", schema: brand, added: addedToAll }),
  macros: familyStream("helpdesk", "macros", {
    label: "Canned answers",
    schema: macro,
    added: addedToAll,
    relations: { groupIds: { to: ["groups"], missing: "clear" } },
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
      brandId: { to: ["brands"], missing: "clear" },
    },
  }),
  comments: familyStream("helpdesk", "comments", {
    label: "Comments",
    schema: comment,
    added: commentAdded,
    relations: { ticketId: ofTicket, author: person },
    parent: "ticketId",
  }),
  ticketRelations: familyStream("helpdesk", "ticketRelations", {
    label: "Links between tickets",
    schema: ticketRelation,
    added: addedToAll,
    relations: { fromTicketId: ofTicket, toTicketId: ofTicket },
  }),
  timeEntries: familyStream("helpdesk", "timeEntries", {
    label: "Time entries",
    schema: timeEntry,
    added: addedToAll,
    relations: { ticketId: ofTicket, author: agent },
    parent: "ticketId",
  }),
  ratings: familyStream("helpdesk", "ratings", {
    label: "Ratings",
    schema: rating,
    added: addedToAll,
    relations: { ticketId: ofTicket, author: person },
    parent: "ticketId",
  }),
  articleCategories: familyStream("helpdesk", "articleCategories", {
    label: "Article categories",
    schema: articleCategory,
    added: addedToAll,
    relations: { parentCategoryId: { to: ["articleCategories"], missing: "clear" } },
  }),
  articles: familyStream("helpdesk", "articles", {
    label: "Articles",
    schema: article,
    added: articleAdded,
    relations: { author: agent, categoryId: { to: ["articleCategories"], missing: "clear" } },
  }),
  articleTranslations: familyStream("helpdesk", "articleTranslations", {
    label: "Article translations",
    schema: articleTranslation,
    added: addedToAll,
    relations: { articleId: { to: ["articles"], missing: "skip" }, author: agent },
    parent: "articleId",
  }),
  attachments: attachmentsOf("helpdesk", ["tickets", "comments", "articles"]),
};
