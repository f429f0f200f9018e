import type { Claim } from "../kit/laws.ts";

/** What the stand-in does besides its laws, and where that comes from. */
export const zendeskFacts: readonly Claim[] = [
  { says: "An API token signs in as {address}/token by HTTP Basic", marks: ["S", "K"] },
  { says: "OAuth is at /oauth/authorizations/new and /oauth/tokens", marks: ["N"] },
  { says: "Enterprise has 700 calls a minute", marks: ["A"] },
  { says: "10 exports a minute on any plan", marks: ["S", "A"] },
  { says: "100 ticket updates a minute", marks: ["D"] },
  {
    says: "Answers have X-Rate-Limit, X-Rate-Limit-Remaining and ratelimit-*; 429 has Retry-After",
    marks: ["D"],
  },
  { says: "The search index is five minutes behind", marks: ["K"] },
  { says: "30 jobs at once; the next one is refused with 429", marks: ["K"] },
  { says: "A file has at most 50 MB", marks: ["K"] },
  {
    says: "A page of an export by time ends with a whole second, and may be longer than asked for",
    marks: ["K"],
  },
  {
    says: "What is done to a comment later is an event of its own: CommentPrivacyChange, CommentRedactionEvent, AttachmentRedactionEvent",
    marks: ["D"],
  },
  { says: "The export shows a comment as it is now, in the event that it came with", marks: ["K"] },
  { says: "A file that was removed from a comment is replaced by an empty redacted.txt", marks: ["S"] },
  { says: "Making a comment private sends no mail, and works in a closed ticket too", marks: ["K"] },
  {
    says: "An article names who may see it by user_segment_id, or by user_segment_ids: null and none are everyone",
    marks: ["K"],
  },
  { says: "A deleted user is still shown, as inactive; lists leave it out", marks: ["K"] },
  { says: "A user with open tickets can't be deleted", marks: ["K"] },
  { says: "Names of organizations and addresses of users are compared without case", marks: ["K"] },
  { says: "Deleted tickets are listed in /deleted_tickets, archived ones among them are not", marks: ["S"] },
  { says: "Errors have error, description and details; those of status 500 and up are HTML", marks: ["K"] },
  { says: "Who is only named by create_or_update, with nothing else, is not changed", marks: ["K"] },
  { says: "A job that deletes for good tells only whether all went well", marks: ["S"] },
  { says: "/ticket_forms has no pages: its answer is the whole list, without a cursor", marks: ["S", "A"] },
  { says: "Imports of tickets that are not closed run no triggers either", marks: ["D"] },
];
