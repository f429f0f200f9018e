import type { Laws } from "../kit/laws.ts";

/** The pitfalls of Zendesk Support. */
export const zendeskLaws = {
  "start-time-once": {
    says: "Only the first call of a cursor export has start_time; sending it again loses rows",
    marks: ["S", "I"],
    seen: "request",
  },
  "start-time-not-recent": {
    says: "start_time must be at least one minute in the past",
    marks: ["S"],
    seen: "request",
  },
  "export-not-list": {
    says: "/tickets leaves archived tickets out: read all tickets by the incremental export",
    marks: ["A", "I"],
    seen: "request",
  },
  "find-by-external-id": {
    says: "The search index lags minutes behind writes: find by /tickets?external_id=, never by /search",
    marks: ["A"],
    seen: "request",
  },
  "no-credentials-to-file-host": {
    says: "content_url may be on another host: send no credentials there",
    marks: ["S"],
    seen: "request",
  },
  "one-import-per-ticket": {
    says: "30 updates per ticket in 10 minutes, 100 a minute for the account: send comments with the import, not by one PUT each",
    marks: ["D"],
    seen: "request",
  },
  "import-not-create": {
    says: "POST /tickets and /tickets/create_many run triggers and send mails; imports do not",
    marks: ["S", "D"],
    seen: "request",
  },
  "no-update-after-import": {
    says: "An update of an imported ticket runs triggers, and a public comment is mailed: what comes later is an internal note",
    marks: ["D"],
    seen: "request",
  },
  "skip-verify-email": {
    says: "A new user gets a verification mail unless skip_verify_email is true",
    marks: ["S"],
    seen: "request",
  },
  "silent-articles": {
    says: "A new article mails its section's subscribers unless notify_subscribers is false",
    marks: ["K"],
    seen: "request",
  },
  "wait-when-limited": {
    says: "After 429 wait as long as Retry-After says: 10 exports, 100 ticket updates, 200 to 2,500 calls a minute",
    marks: ["S", "D", "A"],
    seen: "request",
  },
  "at-most-100": {
    says: "Bulk calls take at most 100 records",
    marks: ["S"],
    seen: "request",
  },
  "jobs-are-polled": {
    says: "A bulk call answers before it has written: poll its job, and do not send the same again meanwhile",
    marks: ["S"],
    seen: "request",
  },
  "few-jobs-at-once": {
    says: "The number of jobs at once is limited",
    marks: ["S"],
    seen: "request",
  },
  "external-id-not-unique": {
    says: "A ticket's external_id is not unique: writing it again makes a second ticket",
    marks: ["K"],
    seen: "request",
  },
  "bulk-users-off": {
    says: "Bulk imports of users are off until the account's owner asks for them: after 403 create one by one",
    marks: ["S"],
    seen: "request",
  },
  "refresh-token-once": {
    says: "A refresh token works once; each refresh returns a new one",
    marks: ["A", "N"],
    seen: "request",
  },
  "ask-for-expiry": {
    says: "A token request without expires_in gets a token without a refresh token",
    marks: ["A", "N"],
    seen: "request",
  },
  "dates-in-the-past": {
    says: "created_at, updated_at and solved_at are from 1970 and not in the future",
    marks: ["S", "D"],
    seen: "request",
  },
  "upload-token-once": {
    says: "An upload's token lives 60 minutes and attaches once",
    marks: ["K"],
    seen: "request",
  },
  "options-by-tag": {
    says: "The value of a dropdown is the option's tag, not its label",
    marks: ["K"],
    seen: "request",
  },
  "offset-depth": {
    says: "Paging by number ends at 10,000 records",
    marks: ["K"],
    seen: "request",
  },
  "page-size": {
    says: "A page has at most 100 records, of an export 1,000; more is cut silently",
    marks: ["S"],
    seen: "request",
  },
  "as-described": {
    says: "A request has no parameter or property that the vendor does not describe",
    marks: ["S"],
    seen: "request",
  },
  "deleted-before-purged": {
    says: "Only deleted tickets can be deleted for good",
    marks: ["S"],
    seen: "request",
  },
  "comments-have-64-kb": {
    says: "A comment has at most 65,535 characters; more is cut",
    marks: ["K"],
    seen: "request",
  },
  "closed-is-final": {
    says: "A closed ticket can't be changed",
    marks: ["K"],
    seen: "request",
  },
  "tags-are-words": {
    says: "Tags are lower-case words: one with a space becomes two",
    marks: ["K"],
    seen: "outcome",
  },
  "tasks-are-due": {
    says: "Only tickets of the type task have a due date",
    marks: ["K"],
    seen: "outcome",
  },
  "comments-are-wrapped": {
    says: "The HTML of a comment comes in an element of the class zd-comment",
    marks: ["K"],
    seen: "outcome",
  },
  "jobs-are-listed": {
    says: "The list of jobs has a bulk call whose answer was lost, queued and working",
    marks: ["S"],
    seen: "outcome",
  },
  "export-has-deleted": {
    says: "The ticket export has deleted tickets, with the status deleted",
    marks: ["A", "I"],
    seen: "outcome",
  },
  "export-has-archived": {
    says: "The ticket export has archived tickets; /tickets has not",
    marks: ["A", "I"],
    seen: "outcome",
  },
  "generated-timestamp": {
    says: "Updates by the system move generated_timestamp and not updated_at: the former is the high-water mark",
    marks: ["A"],
    seen: "outcome",
  },
  "export-lags": {
    says: "Exports leave out the most recent minute",
    marks: ["S"],
    seen: "outcome",
  },
  "time-pages-repeat": {
    says: "Exports by time repeat the rows of the second at which a page ends",
    marks: ["S", "K"],
    seen: "outcome",
  },
  "merged-stay": {
    says: "Merged tickets stay as closed ones with the tag closed_by_merge",
    marks: ["K"],
    seen: "outcome",
  },
  "suspended-apart": {
    says: "Suspended tickets are a list of their own and in no export",
    marks: ["S"],
    seen: "outcome",
  },
  "authors-gone": {
    says: "A comment's author may be a deleted user",
    marks: ["K"],
    seen: "outcome",
  },
  "inline-images-apart": {
    says: "Inline images are no attachments unless include_inline_images asks for them",
    marks: ["S"],
    seen: "outcome",
  },
  "options-are-tags": {
    says: "The tag of a chosen option is also one of the ticket's tags",
    marks: ["K"],
    seen: "outcome",
  },
  "names-are-unique": {
    says: "A second organization with the same name is refused; create_or_update does not match by name",
    marks: ["S"],
    seen: "outcome",
  },
  "job-may-outlive-its-answer": {
    says: "A bulk call whose answer was lost still runs",
    marks: ["K"],
    seen: "outcome",
  },
} as const satisfies Laws;

export type ZendeskLaw = keyof typeof zendeskLaws;
