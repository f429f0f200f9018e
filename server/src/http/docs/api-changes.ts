import { escapeHtml } from "../../platform/escape-html.ts";
import { documentationPage } from "../html.ts";
import type { Mounted } from "../server.ts";

interface ApiChange {
  readonly date: string;
  readonly title: string;
  readonly changes: readonly string[];
}

/** The changes of the partner API, newest first. */
const apiChanges: readonly ApiChange[] = [
  {
    date: "November 2026",
    title: "Additions",
    changes: [
      "POST /imports accepts reference, your own id: lists, imports, reports and events repeat it.",
      "POST /imports accepts the Idempotency-Key header.",
      "GET /imports can be read in pages with limit, and finds imports by status, reference, family and created_after, without a username.",
      "Imports carry status_code, source_tool, created_at and updated_at.",
      "POST /imports/:id/link makes a new link for the customer.",
      "GET and POST /webhook-endpoint show and set the address of your webhooks; its /test, /rotate and /enable send a test, change the secret, and send again after a repair.",
      "POST /imports/:id/cancel and GET /events are new.",
      "GET /webhook-deliveries tells how your events fared, POST /webhook-deliveries/:id/replay sends one again, unless your address is disabled (422).",
      "Events keep the items and users of the moment when they happened; import.closed has a reason: who or what closed the import.",
      "While your webhook endpoint is disabled, GET /webhook-deliveries says so of what waits (endpoint_disabled), and your contact gets a mail.",
      "POST /webhook-endpoint accepts progress: import.progress then tells how far a run has come, at most once a minute for an import.",
      "GET /imports/:id/old-links tells what the old tool's records became; /r/IMPORT/OLD-ADDRESS redirects people there.",
      "GET /imports/:id/report tells what became of every record, in counts, and its /summary has the same in short, signed; 409 before a copy has completed.",
      "The simulator, under /api/simulator, plays whole imports for your end-to-end tests, webhooks included.",
      "Webhook messages carry a second signature, that of Standard Webhooks.",
      "Answers carry sponsorship, and RateLimit fields say how many requests are left.",
      "The OpenAPI document describes the webhooks, and has an example of every answer and a sample of every call.",
      "progress says whether the run is running, paused, waiting for a person or stopping; warnings tell causes and counts.",
    ],
  },
  {
    date: "July 2026",
    title: "Migration family selection",
    changes: [
      "POST /imports accepts an optional family.",
      "GET /tools accepts an optional query parameter family.",
      "GET /imports/:id answers with the family.",
    ],
  },
  {
    date: "February 2024",
    title: "Webhook message verification",
    changes: [
      "Webhook messages carry a signature and a timestamp, to verify that they are ours and new. Ask the operator for a webhook secret and implement the check.",
    ],
  },
  {
    date: "February 2023",
    title: "API v2.1",
    changes: [
      "The texts of an import's status are the same in answers and in webhooks. If your code depends on them, compare it with the list in the reference.",
      "Sponsorship can be accepted and rejected by a call.",
      "Use the base address of 2.1.",
    ],
  },
  {
    date: "August 2013",
    title: "API v2",
    changes: [
      "Every import starts with a sample; the full migration follows when the customer asks for it.",
      "You choose who pays: your customers, or you for those whom you choose.",
    ],
  },
];

export const apiChangesPage: Mounted = {
  method: "GET",
  path: "/docs/api/changelog",
  answer: async () =>
    documentationPage({
      title: "Changes to the Portage partner API",
      main: apiChanges
        .map(
          ({ date, title, changes }) =>
            `<section><h2>${escapeHtml(title)} <small>${escapeHtml(date)}</small></h2><ul>${changes
              .map((change) => `<li>${escapeHtml(change)}</li>`)
              .join("")}</ul></section>`,
        )
        .join(""),
    }),
};
