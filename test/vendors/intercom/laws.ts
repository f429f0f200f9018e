import type { Laws } from "../kit/laws.ts";

/** The pitfalls of Intercom. */
export const intercomLaws = {
  "pin-the-version": {
    says: "Intercom-Version pins the shape of answers; without it the workspace decides",
    marks: ["S"],
    seen: "request",
  },
  "companies-by-scroll": {
    says: "The list of companies ends at 10,000: read all of them by /companies/scroll",
    marks: ["S", "A"],
    seen: "request",
  },
  "one-scroll": {
    says: "One scroll may be open; a second one is refused",
    marks: ["S", "A"],
    seen: "request",
  },
  "scroll-does-not-resume": {
    says: "A scroll dies after a minute without a call, and starts again from the first page",
    marks: ["S", "A"],
    seen: "request",
  },
  "wait-for-reset": {
    says: "429 has no Retry-After to depend on: wait until X-RateLimit-Reset",
    marks: ["A", "N"],
    seen: "request",
  },
  "page-size": {
    says: "per_page is at most 150",
    marks: ["S"],
    seen: "request",
  },
  "few-filters": {
    says: "A search has at most 15 filters in a group, and groups in at most two levels",
    marks: ["S", "K"],
    seen: "request",
  },
  "unix-seconds": {
    says: "Moments are unix seconds, in searches too",
    marks: ["S"],
    seen: "request",
  },
  "no-credentials-to-file-host": {
    says: "Links to files are signed and on another host: send no credentials there",
    marks: ["K"],
    seen: "request",
  },
  "as-described": {
    says: "A request has no parameter or property that the vendor does not describe",
    marks: ["S"],
    seen: "request",
  },
  "first-message-is-source": {
    says: "The first message of a conversation is its source, not one of its parts",
    marks: ["S", "K"],
    seen: "outcome",
  },
  "newest-500-parts": {
    says: "A conversation shows its newest 500 parts; older ones can't be read",
    marks: ["S"],
    seen: "outcome",
  },
  "lists-have-no-parts": {
    says: "Lists and searches have no parts: one call per conversation",
    marks: ["S"],
    seen: "outcome",
  },
  "not-every-part-speaks": {
    says: "Parts are also assignments and closings, without a body",
    marks: ["S"],
    seen: "outcome",
  },
  "authors-gone": {
    says: "The author of a part may be a deleted contact, which answers 404",
    marks: ["A"],
    seen: "outcome",
  },
  "tickets-apart": {
    says: "Tickets are no conversations: they have a search of their own, and their text in an attribute",
    marks: ["S"],
    seen: "outcome",
  },
  "deleted-apart": {
    says: "Deleted conversations are in no search; a list has their ids",
    marks: ["S"],
    seen: "outcome",
  },
  "company-needs-contact": {
    says: "A company shows only when it has a contact",
    marks: ["S"],
    seen: "outcome",
  },
  "links-die": {
    says: "Links to files end within half an hour, those inside texts too",
    marks: ["K"],
    seen: "outcome",
  },
  "newest-first": {
    says: "Searches show the last changed first, so what changes meanwhile is missed by the pass",
    marks: ["K"],
    seen: "outcome",
  },
} as const satisfies Laws;

export type IntercomLaw = keyof typeof intercomLaws;
