import { z } from "zod";
import { attachmentsOf } from "./attachments.ts";
import {
  addedToAll,
  author,
  id,
  optionalDay,
  optionalFlag,
  optionalMoment,
  optionalNumber,
  optionalRef,
  optionalRichText,
  optionalText,
  optionalWho,
  pointer,
  pointers,
  recordFields,
  refs,
  richText,
  text,
  texts,
} from "./record-parts.ts";
import { familyStream, type Relation } from "./stream.ts";

const user: Relation = { to: ["users"], missing: "clear" };
const company: Relation = { to: ["companies"], missing: "clear" };
const about: Relation = {
  to: ["companies", "contacts", "deals", "leads", "customObjects"],
  missing: "skip",
};

const salesperson = z.object({
  ...recordFields,
  name: text("The full name."),
  email: optionalText("What people are matched by."),
  active: z.boolean().default(true).describe("False: may no longer sign in."),
  ...addedToAll,
});

const address = z.object({
  street: optionalText("With its number, lines separated by a line break."),
  city: optionalText("Town."),
  region: optionalText("State, province, canton."),
  postalCode: optionalText("As written there."),
  country: optionalText("As the tool has it."),
});

const labelOf = optionalText("The tool's own word for which one it is: work, home, billing.");

const labelled = (description: string) =>
  z
    .array(z.object({ value: text("As typed."), label: labelOf }))
    .default([])
    .describe(description);

const addresses = z
  .array(z.object({ ...address.shape, label: labelOf }))
  .default([])
  .describe("All of them, if there are several; `address` is the main one.");

const labelledPhones = labelled(
  "All phone numbers, if the tool tells which is which; `phones` has them, too.",
);

const companyAdded = { addresses, labelledPhones, ...addedToAll };

const contactAdded = {
  companies: z
    .array(z.object({ ...pointer.shape, role: optionalText("What the person does there.") }))
    .default([])
    .describe("All companies, if there are several; `companyId` is the main one."),
  addresses,
  labelledEmails: labelled("All e-mail addresses, if the tool tells which is which; `emails` has them, too."),
  labelledPhones,
  optedOut: optionalFlag("True: wants no advertising; false: agreed to it; null: the tool doesn't tell."),
  ...addedToAll,
};

const companyRecord = z.object({
  ...recordFields,
  name: text("The company's name."),
  domains: z.array(z.string()).default([]).describe("Web and mail domains; the first is the main one."),
  phones: z.array(z.string()).default([]).describe("As typed."),
  address: address.nullable().default(null).describe("The main one."),
  industry: optionalText("The tool's own word."),
  employees: optionalNumber("How many."),
  parentCompanyId: optionalRef("The company it belongs to."),
  owner: optionalWho("The salesperson."),
  description: optionalRichText("What is known of it."),
  ...companyAdded,
});

const contact = z.object({
  ...recordFields,
  firstName: optionalText("Given name."),
  lastName: optionalText("Family name, or the whole name where the tool has one field."),
  emails: z.array(z.string()).default([]).describe("The first is the main one."),
  phones: z.array(z.string()).default([]).describe("As typed."),
  jobTitle: optionalText("What the person does there."),
  companyId: optionalRef("The company."),
  address: address.nullable().default(null).describe("The main one."),
  owner: optionalWho("The salesperson."),
  stage: optionalText("The tool's own word: lead, customer."),
  description: optionalRichText("What is known of the person."),
  ...contactAdded,
});

const lead = z.object({
  ...recordFields,
  name: text("One line: the person, or what it is about."),
  status: optionalText("The tool's own word."),
  source: optionalText("Where it came from: web, fair, recommendation."),
  companyId: optionalRef("With whom."),
  contactId: optionalRef("The person there."),
  companyName: optionalText("As typed, if there is no company of that name yet."),
  emails: texts("As typed, if there is no contact yet."),
  phones: texts("As typed, if there is no contact yet."),
  amount: optionalText("A decimal text: money is never a float."),
  currency: optionalText("ISO 4217."),
  owner: optionalWho("The salesperson."),
  archived: z.boolean().default(false).describe("Out of sight: no longer followed, or turned into a deal."),
  description: optionalRichText("What is known of it."),
  ...addedToAll,
});

const product = z.object({
  ...recordFields,
  name: text("The name for people."),
  code: optionalText("What it is ordered by."),
  description: optionalRichText("What it is."),
  price: optionalText("For one unit. A decimal text: money is never a float."),
  currency: optionalText("ISO 4217."),
  unit: optionalText("What is counted: piece, hour, month."),
  active: z.boolean().default(true).describe("False: no longer sold."),
  ...addedToAll,
});

const stage = z.object({
  id: id.describe("Unique in its pipeline."),
  name: text("The name for people."),
  kind: z.enum(["open", "won", "lost"]).describe("What it means."),
  probability: optionalNumber("Percent."),
});

const pipeline = z.object({
  ...recordFields,
  name: text("The name for people."),
  stages: z.array(stage).describe("In order."),
  ...addedToAll,
});

const dealAdded = {
  probability: optionalNumber("Percent, if it is not that of its stage."),
  archived: optionalFlag("True: out of sight; null: the tool doesn't tell."),
  ...addedToAll,
};

const deal = z.object({
  ...recordFields,
  name: text("One line."),
  pipelineId: id.describe("The pipeline."),
  stageId: text("A stage of that pipeline."),
  amount: optionalText("A decimal text: money is never a float."),
  currency: optionalText("ISO 4217."),
  companyId: optionalRef("With whom."),
  contactIds: refs("The people there; the first is the main one."),
  owner: optionalWho("The salesperson."),
  closesOn: optionalDay("Expected."),
  closedAt: optionalMoment("When it was won or lost."),
  lostReason: optionalText("Why it was lost."),
  description: optionalRichText("What it is about."),
  ...dealAdded,
});

const lineItem = z.object({
  ...recordFields,
  dealId: id.describe("The deal."),
  productId: optionalRef("The product; null: only its name is known."),
  name: text("What is sold."),
  quantity: text("A decimal text."),
  price: optionalText("For one unit. A decimal text: money is never a float."),
  discountPercent: optionalNumber("What is taken off."),
  taxPercent: optionalNumber("What is added."),
  currency: optionalText("ISO 4217."),
  position: optionalNumber("Its place among the deal's items."),
  ...addedToAll,
});

const customObject = z.object({
  ...recordFields,
  type: text("The tool's own word for this kind of record: contract, vehicle."),
  name: text("One line."),
  about: pointers("The records it belongs to."),
  owner: optionalWho("The salesperson."),
  ...addedToAll,
});

const activity = z.object({
  ...recordFields,
  kind: z.enum(["call", "meeting", "email", "task", "other"]).describe("What was done, or is to be done."),
  subject: text("One line."),
  body: optionalRichText("The minutes, the message."),
  about: pointers("The records it belongs to."),
  startsAt: optionalMoment("When it takes place or is due."),
  minutes: optionalNumber("How long."),
  done: z.boolean().default(false).describe("Whether it lies behind."),
  author,
  assignee: optionalWho("Who does it."),
  ...addedToAll,
});

const email = z.object({
  ...recordFields,
  about: pointers("The records it belongs to."),
  direction: z.enum(["incoming", "outgoing"]).describe("As the salespeople see it."),
  subject: text("One line."),
  body: richText.describe("The message."),
  from: optionalText("The sender's address."),
  to: texts("The addresses that it was sent to."),
  cc: texts("The addresses that got a copy."),
  bcc: texts("The addresses that got a copy unseen."),
  messageId: optionalText("Its Message-ID, by which answers name it."),
  threadId: optionalText("The same for all messages of a conversation."),
  sentAt: optionalMoment("When it was sent."),
  author,
  ...addedToAll,
});

const noteAdded = {
  alsoAbout: pointers("Further records that it hangs on; `about` is the first."),
  ...addedToAll,
};

const note = z.object({
  ...recordFields,
  about: pointer.describe("The record it hangs on."),
  body: richText.describe("What was written."),
  author,
  ...noteAdded,
});

/** Sales: companies, contacts and deals. */
export const crm = {
  users: familyStream("crm", "users", {
    label: "Salespeople",
    kind: "people",
    schema: salesperson,
    added: addedToAll,
  }),
  companies: familyStream("crm", "companies", {
    label: "Companies",
    schema: companyRecord,
    added: companyAdded,
    relations: { parentCompanyId: company, owner: user },
  }),
  contacts: familyStream("crm", "contacts", {
    label: "Contacts",
    schema: contact,
    added: contactAdded,
    relations: { companyId: company, owner: user, companies: company },
  }),
  leads: familyStream("crm", "leads", {
    label: "Leads",
    schema: lead,
    added: addedToAll,
    relations: { companyId: company, contactId: { to: ["contacts"], missing: "clear" }, owner: user },
  }),
  products: familyStream("crm", "products", { label: "Products", schema: product, added: addedToAll }),
  pipelines: familyStream("crm", "pipelines", { label: "Pipelines", schema: pipeline, added: addedToAll }),
  deals: familyStream("crm", "deals", {
    label: "Deals",
    schema: deal,
    added: dealAdded,
    relations: {
      pipelineId: { to: ["pipelines"], missing: "skip" },
      companyId: company,
      contactIds: { to: ["contacts"], missing: "clear" },
      owner: user,
    },
  }),
  lineItems: familyStream("crm", "lineItems", {
    label: "Line items",
    schema: lineItem,
    added: addedToAll,
    relations: {
      dealId: { to: ["deals"], missing: "skip" },
      productId: { to: ["products"], missing: "clear" },
    },
    parent: "dealId",
  }),
  customObjects: familyStream("crm", "customObjects", {
    label: "Custom objects",
    schema: customObject,
    added: addedToAll,
    relations: { about: { ...about, missing: "clear" }, owner: user },
  }),
  activities: familyStream("crm", "activities", {
    label: "Activities",
    schema: activity,
    added: addedToAll,
    relations: { about: { ...about, missing: "clear" }, author: user, assignee: user },
  }),
  emails: familyStream("crm", "emails", {
    label: "E-mails",
    schema: email,
    added: addedToAll,
    relations: { about: { ...about, missing: "clear" }, author: user },
  }),
  notes: familyStream("crm", "notes", {
    label: "Notes",
    schema: note,
    added: noteAdded,
    relations: { about, alsoAbout: { ...about, missing: "clear" }, author: user },
    parent: "about",
  }),
  attachments: attachmentsOf("crm", [
    "companies",
    "contacts",
    "deals",
    "activities",
    "notes",
    "leads",
    "products",
    "customObjects",
    "emails",
  ]),
};
