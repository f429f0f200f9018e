import type { Store } from "../store/store.ts";
import { countsByStatus, type TicketFilter, type TicketLine, ticketLines } from "../store/store-pages.ts";
import { type Html, html } from "./html.ts";
import { status, when, who } from "./parts.ts";
import { dataTable } from "./table.ts";

const perPage = 50;

export const statusKinds = {
  new: "New",
  open: "Open",
  pending: "Pending",
  on_hold: "On hold",
  solved: "Solved",
  closed: "Closed",
} as const;

const columns = [
  { label: "No." },
  { label: "Subject", heads: true },
  { label: "Status" },
  { label: "For" },
  { label: "Replies", unit: "replies" },
  { label: "Made" },
  { label: "Origin" },
] as const;

export const ticketTable = (store: Store, lines: readonly TicketLine[]): Html =>
  dataTable(
    "Tickets",
    columns,
    lines.map((line) => ({
      cells: [
        `#${line.id}`,
        html`<a href="/tickets/${line.id}"><bdi>${line.subject || "(no subject)"}</bdi></a>`,
        status(line.statusKind, line.status),
        who(store, line.requester),
        line.comments,
        when(line.createdAt),
        line.imported ? html`<span class="quiet">moved here</span>` : null,
      ],
    })),
  );

const address = (filter: Partial<TicketFilter>, before: string | null): string => {
  const query = new URLSearchParams();
  if (filter.statusKind) query.set("status", filter.statusKind);
  if (filter.text) query.set("q", filter.text);
  if (before) query.set("before", before);
  return `/${query.size > 0 ? `?${query.toString()}` : ""}`;
};

export const ticketListPage = (store: Store, filter: TicketFilter): Html => {
  const { lines, next } = ticketLines(store.database, filter, perPage);
  const counts = countsByStatus(store.database);
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const chip = (kind: string | null, label: string, count: number) =>
    html`<li><a href="${address({ ...filter, statusKind: kind }, null)}"${
      filter.statusKind === kind ? html` aria-current="true"` : null
    }>${label} <span class="count">${count}</span></a></li>`;
  return html`<h1>Tickets</h1>
<form class="search" role="search" action="/"><label for="q">Search subjects</label>
<div><input id="q" name="q" type="search" value="${filter.text ?? ""}">${
    filter.statusKind && html`<input type="hidden" name="status" value="${filter.statusKind}">`
  }<button>Search</button></div></form>
<nav aria-label="Status"><ul class="chips">${chip(null, "All", total)}${Object.entries(statusKinds).map(
    ([kind, label]) => chip(kind, label, counts.get(kind) ?? 0),
  )}</ul></nav>
${ticketTable(store, lines)}
${next && html`<p class="more"><a href="${address(filter, next)}">Older tickets</a></p>`}`;
};
