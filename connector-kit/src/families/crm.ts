import { z } from "zod";
import { attachmentsOf } from "./attachments.ts";
import {
  author,
  id,
  optionalDay,
  optionalMoment,
  optionalNumber,
  optionalRef,
  optionalRichText,
  optionalText,
  optionalWho,
  recordFields,
  refs,
  richText,
  text,
} from "./record-parts.ts";
import { familyStream, type Relation } from "./stream.ts";

const user: Relation = { to: ["users"], missing: "clear" };
const company: Relation = { to: ["companies"], missing: "clear" };
const about: Relation = { to: ["companies", "contacts", "deals"], missing: "skip" };

const salesperson = z.object({
  ...recordFields,
  name: text("The full name."),
  email: optionalText("What people are matched by."),
  active: z.boolean().default(true).describe("False: may no longer sign in."),
});

const address = z.object({
  street: optionalText("With its number, lines separated by a line break."),
  city: optionalText("Town."),
  region: optionalText("State, province, canton."),
  postalCode: optionalText("As written there."),
  country: optionalText("As the tool has it."),
});

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
});

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
});

const activity = z.object({
  ...recordFields,
  kind: z.enum(["call", "meeting", "email", "task", "other"]).describe("What was done, or is to be done."),
  subject: text("One line."),
  body: optionalRichText("The minutes, the message."),
  about: z
    .array(z.object({ stream: z.string(), id }))
    .default([])
    .describe("The records it belongs to."),
  startsAt: optionalMoment("When it takes place or is due."),
  minutes: optionalNumber("How long."),
  done: z.boolean().default(false).describe("Whether it lies behind."),
  author,
  assignee: optionalWho("Who does it."),
});

const note = z.object({
  ...recordFields,
  about: z.object({ stream: z.string(), id }).describe("The record it hangs on."),
  body: richText.describe("What was written."),
  author,
});

/** Sales: companies, contacts and deals. */
export const crm = {
  users: familyStream("crm", "users", { label: "Salespeople", kind: "people", schema: salesperson }),
  companies: familyStream("crm", "companies", {
    label: "Companies",
    schema: companyRecord,
    relations: { parentCompanyId: company, owner: user },
  }),
  contacts: familyStream("crm", "contacts", {
    label: "Contacts",
    schema: contact,
    relations: { companyId: company, owner: user },
  }),
  pipelines: familyStream("crm", "pipelines", { label: "Pipelines", schema: pipeline }),
  deals: familyStream("crm", "deals", {
    label: "Deals",
    schema: deal,
    relations: {
      pipelineId: { to: ["pipelines"], missing: "skip" },
      companyId: company,
      contactIds: { to: ["contacts"], missing: "clear" },
      owner: user,
    },
  }),
  activities: familyStream("crm", "activities", {
    label: "Activities",
    schema: activity,
    relations: { about: { ...about, missing: "clear" }, author: user, assignee: user },
  }),
  notes: familyStream("crm", "notes", {
    label: "Notes",
    schema: note,
    relations: { about, author: user },
    parent: "about",
  }),
  attachments: attachmentsOf("crm", ["companies", "contacts", "deals", "activities", "notes"]),
};
