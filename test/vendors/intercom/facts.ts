import type { Claim } from "../kit/laws.ts";

/** What the stand-in does besides its laws, and where that comes from. */
export const intercomFacts: readonly Claim[] = [
  { says: "An access token signs in as a bearer; it does not end", marks: ["N", "K"] },
  {
    says: "OAuth is at /oauth of the region's pages and at /auth/eagle/token of its API",
    marks: ["N", "K"],
  },
  { says: "What an app may read is chosen for the app: the sign-in names no scopes", marks: ["A", "K"] },
  { says: "OAuth's tokens do not end, and none refreshes them", marks: ["N", "K"] },
  { says: "A token of another region is refused with 401", marks: ["N"] },
  { says: "10,000 calls a minute for an app, spent in slices of ten seconds", marks: ["A"] },
  { says: "Answers have X-RateLimit-Limit, -Remaining and -Reset in unix seconds", marks: ["A", "N"] },
  {
    says: "Ids of contacts and companies have 24 hexadecimal digits, those of others are numbers; all are texts",
    marks: ["S"],
  },
  { says: "A missing permission is refused with 403", marks: ["K"] },
  { says: "A ticket has one contact", marks: ["S"] },
  {
    says: "Each call of a scroll moves it on: asked again with the same parameter, it shows the next page",
    marks: ["K"],
  },
  { says: "A search finds contacts by a list of ids", marks: ["S", "K"] },
  {
    says: "A page of the inbox is /a/inbox/{workspace}/…/conversation/{id}, at app.intercom.com, app.eu. or app.au.",
    marks: ["K"],
  },
  {
    says: "Files are at downloads.intercomcdn.com and *.intercom-attachments-1.com to -9, with hosts of their own in the EU and Australia",
    marks: ["K"],
  },
];
