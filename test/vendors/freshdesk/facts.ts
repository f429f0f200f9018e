import type { Claim } from "../kit/laws.ts";

/** What the stand-in does besides its laws, and where that comes from. */
export const freshdeskFacts: readonly Claim[] = [
  { says: "The API key signs in by HTTP Basic, with any password", marks: ["N"] },
  { says: "/agents/me shows whose key it is", marks: ["K"] },
  {
    says: "Enterprise has 700 calls a minute: 280 to create and to update tickets, 200 to list tickets and contacts",
    marks: ["D", "A"],
  },
  {
    says: "Answers have X-RateLimit-Total and X-RateLimit-Remaining; 429 has Retry-After; failed calls count",
    marks: ["D", "K"],
  },
  { says: "Lists have a Link header and no totals", marks: ["K"] },
  { says: "The search index is five minutes behind", marks: ["K"] },
  { says: "Links to files work for five minutes", marks: ["K"] },
  { says: "Contacts and agents share their ids", marks: ["K"] },
  { says: "Names of companies are unique, compared without case", marks: ["K"] },
  {
    says: "Deleted tickets and contacts stay in the trash; companies and groups are gone for good",
    marks: ["S", "K"],
  },
  { says: "A merged ticket is closed, with a private note and no link to the other", marks: ["K"] },
  { says: "A ticket for an unknown address creates the contact", marks: ["K"] },
  {
    says: "A field that is created has its name from its label; its choices have value and position",
    marks: ["W", "K"],
  },
  { says: "Fields have a label of their own for customers", marks: ["W"] },
  { says: "/admin/ticket_fields lists the fields for administrators alone", marks: ["K"] },
  { says: "A change of a ticket adds its files to those that are there", marks: ["K"] },
  { says: "The types of tickets are the choices of the field ticket_type", marks: ["K"] },
  { says: "A conversation's source: 0 a reply, 2 a note, 8 a forwarded mail, 9 a call", marks: ["K"] },
  { says: "Names of groups are unique, compared without case", marks: ["K"] },
];
