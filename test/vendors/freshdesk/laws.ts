import type { Laws } from "../kit/laws.ts";

/** The pitfalls of Freshdesk. */
export const freshdeskLaws = {
  "updated-since": {
    says: "/tickets has only tickets created in the last 30 days unless updated_since is given",
    marks: ["G", "W"],
    seen: "request",
  },
  "page-300": {
    says: "/tickets ends at page 300: window by updated_since and start again",
    marks: ["I"],
    seen: "request",
  },
  "no-reply": {
    says: "/reply and /outbound_email send mail: past messages are notes",
    marks: ["K"],
    seen: "request",
  },
  "quiet-notes": {
    says: "A note mails everyone in notify_emails",
    marks: ["S"],
    seen: "request",
  },
  "no-credentials-to-file-host": {
    says: "attachment_url is a signed link to another host: send no credentials there",
    marks: ["K"],
    seen: "request",
  },
  "dates-not-settable": {
    says: "created_at and updated_at can't be set",
    marks: ["K"],
    seen: "request",
  },
  "find-by-list": {
    says: "The search index lags minutes behind writes and has no archived tickets: find by lists",
    marks: ["W", "G"],
    seen: "request",
  },
  "search-page-10": {
    says: "A search ends at page 10, with 30 results a page",
    marks: ["W", "G"],
    seen: "request",
  },
  "fields-exist": {
    says: "A custom field must exist before it is written",
    marks: ["K"],
    seen: "request",
  },
  "options-exist": {
    says: "A dropdown takes only its own choices, by their label",
    marks: ["K"],
    seen: "request",
  },
  "files-20-mb": {
    says: "The files of one request have at most 20 MB together",
    marks: ["K"],
    seen: "request",
  },
  "create-complete": {
    says: "A new ticket without status, priority or source gets open, low and portal",
    marks: ["K"],
    seen: "request",
  },
  "conflict-heeded": {
    says: "A contact whose main address is refused with 409 exists: match it, never write it without that",
    marks: ["K"],
    seen: "request",
  },
  "hard-delete-takes-tickets": {
    says: "hard_delete takes the tickets of the contact along, other people's too",
    marks: ["K"],
    seen: "request",
  },
  "page-size": {
    says: "per_page is at most 100; more is refused",
    marks: ["S", "K"],
    seen: "request",
  },
  "wait-when-limited": {
    says: "After 429 wait as long as Retry-After says: limits for all calls, for creating, updating and listing",
    marks: ["D", "A"],
    seen: "request",
  },
  "as-described": {
    says: "A request has no parameter or property that is not described; others are refused",
    marks: ["S"],
    seen: "request",
  },
  "description-on-request": {
    says: "Lists of tickets have no description without include=description",
    marks: ["W"],
    seen: "outcome",
  },
  "includes-cost": {
    says: "Each include costs two calls more of the limit",
    marks: ["W"],
    seen: "outcome",
  },
  "deleted-and-spam-apart": {
    says: "Deleted tickets and spam are lists of their own, by filter",
    marks: ["W", "T"],
    seen: "outcome",
  },
  "archived-apart": {
    says: "Archived tickets are in no list; /tickets/archived/{id} shows one",
    marks: ["K"],
    seen: "outcome",
  },
  "deleted-has-no-conversations": {
    says: "The conversations of a deleted ticket are refused with 404",
    marks: ["T"],
    seen: "outcome",
  },
  "ten-conversations": {
    says: "include=conversations has at most ten of them",
    marks: ["K"],
    seen: "outcome",
  },
  "empty-404": {
    says: "404 has an empty body",
    marks: ["S", "K"],
    seen: "outcome",
  },
  "links-die": {
    says: "Links to files end, those inside texts too: load them in the same pass",
    marks: ["K"],
    seen: "outcome",
  },
  "conflict-names-contact": {
    says: "A second contact with the same address is refused with 409, which has user_id",
    marks: ["K"],
    seen: "outcome",
  },
  "chat-repeats-description": {
    says: "In tickets from the web chat, source 15, the first conversation repeats the description",
    marks: ["I"],
    seen: "outcome",
  },
  "create-mails": {
    says: "A new ticket, and a public note, mails the requester unless an admin switched the notification off",
    marks: ["K"],
    seen: "outcome",
  },
  "ticket-20-mb": {
    says: "The files of one ticket have at most 20 MB together, those of its notes included; more is refused",
    marks: ["W"],
    seen: "outcome",
  },
  "notes-alone-change": {
    says: "Of all conversations only notes can be changed; a change takes files too",
    marks: ["W"],
    seen: "outcome",
  },
  "company-of-requester": {
    says: "A ticket takes no company that its requester does not belong to",
    marks: ["K"],
    seen: "outcome",
  },
  "companies-unique": {
    says: "A second company with the same name or domain is refused with 409, which does not name the other",
    marks: ["K"],
    seen: "outcome",
  },
  "people-gone": {
    says: "The author of a conversation may be a deleted contact",
    marks: ["T", "K"],
    seen: "outcome",
  },
} as const satisfies Laws;

export type FreshdeskLaw = keyof typeof freshdeskLaws;
