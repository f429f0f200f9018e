import { convertRichText } from "@portage/connector-kit/rich-text";
import { Html, html } from "../../../partner-app/src/pages/html.ts";
import type { Store } from "../store.ts";
import { type Article, type Customer, type PersonRef, states, type Ticket, ticketFields } from "../tables.ts";

const sections = [
  ["/", "Tickets"],
  ["/customers", "Customers"],
  ["/agents", "Agents"],
  ["/articles", "Help pages"],
  ["/settings", "Settings"],
] as const;

export type Section = (typeof sections)[number][0];

export const layout = (title: string, section: Section, content: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Attic Desk</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><p class="brand"><a href="/">Attic Desk <small>4.2</small></a> <span>Acme Lamps</span></p>
<nav aria-label="Sections"><ul>${sections.map(
  ([path, label]) =>
    html`<li><a href="${path}"${path === section ? html` aria-current="page"` : null}>${label}</a></li>`,
)}</ul></nav></header>
<main>${content}</main>
<footer><p>Attic Desk is a part of the demo of Portage. Nothing here is real, and nothing leaves your machine.</p></footer>
</body>
</html>`;

const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

const when = (moment: string): Html =>
  html`<time datetime="${moment}">${dates.format(new Date(moment))}</time>`;

const nameOf = (store: Store, person: PersonRef): string =>
  "name" in person ? person.name : (store.get(person.table, person.id)?.name ?? "unknown");

// The converter removes what could run; the page's policy forbids it as well.
const safe = (text: string): Html => new Html(convertRichText({ format: "html", text }, "html").text);

const filesOf = (store: Store, table: string, id: number): Html | null => {
  const files = store
    .all("files")
    .filter(({ parent, inline }) => parent.table === table && parent.id === id && !inline);
  if (files.length === 0) return null;
  return html`<ul class="files" aria-label="Files">${files.map(
    (file) =>
      html`<li><a href="/files/${file.id}" download="${file.name}"><bdi>${file.name}</bdi></a> (${file.bytes} bytes)</li>`,
  )}</ul>`;
};

const perPage = 30;

export const ticketsPage = (store: Store, page: number): Html => {
  const all = store.all("tickets").toSorted((a, b) => b.changed.localeCompare(a.changed));
  const shown = all.slice(page * perPage, (page + 1) * perPage);
  return html`<h1>Tickets</h1>
<p>${all.length} tickets, those that changed last first. <a class="button" href="/new">New ticket</a></p>
<table class="tickets">
<thead><tr><th scope="col">No.</th><th scope="col">Subject</th><th scope="col">Customer</th><th scope="col">State</th><th scope="col">Agent</th><th scope="col">Changed</th></tr></thead>
<tbody>${shown.map(
    ({ id, number, subject, customerId, state, agentId, changed }) => html`<tr>
<td>${number}</td><td><a href="/tickets/${id}"><bdi>${subject || "(no subject)"}</bdi></a></td>
<td><bdi>${customerId === null ? "" : store.get("customers", customerId)?.name}</bdi></td><td>${state}</td>
<td>${agentId === null ? "" : store.get("agents", agentId)?.name}</td><td>${when(changed)}</td></tr>`,
  )}</tbody></table>
<p>${page > 0 && html`<a href="/?page=${page - 1}">Newer</a> `}${(page + 1) * perPage < all.length && html`<a href="/?page=${page + 1}">Older</a>`}</p>`;
};

const message = (
  store: Store,
  {
    id,
    author,
    made,
    text,
    internal,
    files,
  }: {
    id: string;
    author: PersonRef;
    made: string;
    text: string;
    internal: boolean;
    files: Html | null;
  },
): Html => html`<article id="${id}"${internal ? html` class="internal"` : null}>
<h2><bdi>${nameOf(store, author)}</bdi> <small>${when(made)}${internal && " – internal note"}</small></h2>
<div class="text" dir="auto">${safe(text)}</div>
${files}</article>`;

const stateOptions = (current: string) =>
  states.map((state) => html`<option${state === current ? html` selected` : null}>${state}</option>`);

export const ticketPage = (store: Store, ticket: Ticket): Html => {
  const { id, customerId, agentId, teamId, fields } = ticket;
  const messages = store.all("messages").filter(({ ticketId }) => ticketId === id);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["State", ticket.state],
    ["Priority", ticket.priority],
    ["Kind", ticket.kind],
    ["Customer", customerId === null ? undefined : store.get("customers", customerId)?.name],
    ["Agent", agentId === null ? undefined : store.get("agents", agentId)?.name],
    ["Team", teamId === null ? undefined : store.get("teams", teamId)?.name],
    ["Came by", ticket.channel],
    ["Form", ticket.form ?? undefined],
    ["Shop", ticket.shop],
    ["Copies to", ticket.copies.join(", ")],
    ["Tags", ticket.tags.join(", ")],
    ...ticketFields.map(
      ({ key, label }) => [label, fields[key] == null ? undefined : String(fields[key])] as const,
    ),
  ];
  return html`<p><a href="/">All tickets</a></p>
<h1>No. ${id}: <bdi>${ticket.subject || "(no subject)"}</bdi></h1>
<div class="sides"><div>
${message(store, { ...ticket, id: "first", internal: false, files: filesOf(store, "tickets", id) })}
${messages.map((each) => message(store, { ...each, id: `message-${each.id}`, files: filesOf(store, "messages", each.id) }))}
<form method="post" action="/tickets/${id}/reply"><h2>Answer</h2>
<p><label for="text">Your words</label><textarea id="text" name="text" rows="4" required maxlength="5000"></textarea></p>
<p><label for="state">State afterwards</label> <select id="state" name="state">${stateOptions(ticket.state)}</select></p>
<p><label><input type="checkbox" name="internal" value="yes"> Internal note</label></p>
<p><button>Save</button></p></form>
</div><dl>${facts
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([label, value]) => html`<dt>${label}</dt><dd><bdi>${value}</bdi></dd>`)}</dl></div>`;
};

export const newTicketPage = (store: Store): Html => html`<h1>New ticket</h1>
<form method="post" action="/new">
<p><label for="subject">Subject</label><input id="subject" name="subject" required maxlength="200"></p>
<p><label for="customer">Customer</label> <select id="customer" name="customer">${store
  .all("customers")
  .map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></p>
<p><label for="text">What happened</label><textarea id="text" name="text" rows="6" required maxlength="5000"></textarea></p>
<p><button>Create</button></p></form>`;

export const customersPage = (store: Store): Html => html`<h1>Customers</h1>
<table><thead><tr><th scope="col">Name</th><th scope="col">Mail</th><th scope="col">Company</th></tr></thead><tbody>${store
  .all("customers")
  .map(
    ({
      id,
      name,
      emails,
      companyId,
    }) => html`<tr><td><a href="/customers/${id}"><bdi>${name}</bdi></a></td><td>${emails.join(", ")}</td>
<td>${companyId === null ? "" : store.get("companies", companyId)?.name}</td></tr>`,
  )}</tbody></table>`;

export const customerPage = (
  store: Store,
  customer: Customer,
): Html => html`<p><a href="/customers">All customers</a></p>
<h1><bdi>${customer.name}</bdi></h1>
<dl>${customer.emails.map((mail) => html`<dt>Mail</dt><dd>${mail}</dd>`)}${customer.phones.map((phone) => html`<dt>Phone</dt><dd>${phone}</dd>`)}</dl>
<h2>Tickets</h2><ul>${store
  .all("tickets")
  .filter(({ customerId }) => customerId === customer.id)
  .map(
    ({ id, subject }) => html`<li><a href="/tickets/${id}"><bdi>${subject || "(no subject)"}</bdi></a></li>`,
  )}</ul>`;

export const agentsPage = (store: Store): Html => html`<h1>Agents</h1>
<ul>${store.all("agents").map(({ name, email, active }) => html`<li><bdi>${name}</bdi> ${email}${active ? null : " (left)"}</li>`)}</ul>
<h2>Teams</h2><ul>${store.all("teams").map(({ name, purpose }) => html`<li><b>${name}</b>: ${purpose}</li>`)}</ul>`;

export const articlesPage = (store: Store): Html => html`<h1>Help pages</h1>
<ul>${store.all("articles").map(({ id, title, shelf, state }) => html`<li><a href="/articles/${id}">${title}</a> (${shelf.join(" › ")}${state === "draft" ? ", draft" : ""})</li>`)}</ul>`;

export const articlePage = (article: Article): Html => html`<p><a href="/articles">All help pages</a></p>
<h1>${article.title}</h1><div class="text">${safe(article.text)}</div>`;

export const settingsPage = (key: string): Html => html`<h1>Settings</h1>
<h2>API key</h2><p>It gives access to everything in this help desk.</p><p><code>${key}</code></p>`;
