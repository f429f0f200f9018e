import type { RichText } from "@portage/connector-kit";
import type { Row, Store } from "../store/store.ts";
import { idsPage, lastMails, ticketLines } from "../store/store-pages.ts";
import { type Html, html } from "./html.ts";
import { customProperties, properties, provenance, tagList, when } from "./parts.ts";
import { richText } from "./rich-text.ts";
import { ticketTable } from "./ticket-list.ts";

const perPage = 100;

const rowsOf = (store: Store, stream: "users" | "contacts" | "groups", after: number) => {
  const { ids, next } = idsPage(store.database, stream, after, perPage);
  return { rows: ids.map((id) => store.get(stream, id)).filter((row) => row !== null), next };
};

const more = (path: string, next: string | null): Html | null =>
  next ? html`<p class="more"><a href="${path}?after=${next}">More</a></p>` : null;

const list = (values: unknown): string => (values as string[]).join(", ");

const organizationName = (store: Store, { values }: Row): string =>
  typeof values.organizationId === "string"
    ? String(store.get("organizations", values.organizationId)?.values.name ?? "")
    : "";

export const contactsPage = (store: Store, after: number): Html => {
  const { rows, next } = rowsOf(store, "contacts", after);
  if (rows.length === 0) return html`<h1>Contacts</h1><p class="empty">No contacts here.</p>`;
  return html`<h1>Contacts</h1>
<div class="scroll" tabindex="0" role="region" aria-label="Contacts"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Mail</th><th scope="col">Phone</th><th scope="col">Organization</th></tr></thead>
<tbody>${rows.map(
    (
      row,
    ) => html`<tr><th scope="row"><a href="/contacts/${row.id}"><bdi>${String(row.values.name)}</bdi></a></th>
<td><bdi>${list(row.values.emails)}</bdi></td><td><bdi>${list(row.values.phones)}</bdi></td><td><bdi>${organizationName(store, row)}</bdi></td></tr>`,
  )}</tbody></table></div>${more("/contacts", next)}`;
};

export const contactPage = (store: Store, row: Row): Html => {
  const requester = { stream: "contacts", id: row.id };
  const { lines } = ticketLines(
    store.database,
    { before: null, statusKind: null, text: null, requester },
    50,
  );
  const notes = row.values.notes as RichText | null;
  return html`<p class="crumb"><a href="/contacts">Contacts</a></p>
<h1><bdi>${String(row.values.name)}</bdi></h1>
<div class="columns"><div class="thread">
<h2>Tickets</h2>${ticketTable(store, lines)}
${notes && html`<h2>Notes</h2>${richText(notes)}`}
</div><aside aria-label="About this contact"><section class="card" aria-labelledby="details"><h2 id="details">Details</h2>
${properties([
  ["Mail", list(row.values.emails)],
  ["Phone", list(row.values.phones)],
  ["Organization", organizationName(store, row)],
  ["Language", (row.values.locale as string | null) ?? null],
  ["Time zone", (row.values.timeZone as string | null) ?? null],
  ["Since", when(row.values.createdAt)],
  ...customProperties(row),
])}${tagList(row.values.tags)}</section>${provenance(row)}</aside></div>`;
};

export const peoplePage = (store: Store, after: number): Html => {
  const { rows, next } = rowsOf(store, "users", after);
  const groups = rowsOf(store, "groups", 0).rows;
  return html`<h1>People</h1>
<div class="scroll" tabindex="0" role="region" aria-label="People"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Mail</th><th scope="col">Role</th><th scope="col">May sign in</th></tr></thead>
<tbody>${rows.map(
    ({ id, values }) =>
      html`<tr id="user-${id}"><th scope="row"><bdi>${String(values.name)}</bdi></th><td><bdi>${
        (values.email as string | null) ?? ""
      }</bdi></td><td>${String(values.role)}</td><td>${values.active === true ? "yes" : "no"}</td></tr>`,
  )}</tbody></table></div>${more("/people", next)}
<h2>Groups</h2>
${
  groups.length === 0
    ? html`<p class="empty">No groups here.</p>`
    : html`<ul class="groups">${groups.map(
        ({ id, values }) =>
          html`<li id="group-${id}"><strong><bdi>${String(values.name)}</bdi></strong> <span class="quiet">${
            (values.memberIds as string[]).length
          } members</span> <bdi>${(values.description as string | null) ?? ""}</bdi></li>`,
      )}</ul>`
}`;
};

export const mailPage = (store: Store): Html => {
  const mails = lastMails(store.database, 100);
  return html`<h1>Mail</h1>
<p>Every mail that this desk would have sent. Replies written here make one; what is moved here makes none.</p>
${
  mails.length === 0
    ? html`<p class="empty">No mail.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Mail"><table><thead><tr><th scope="col">To</th><th scope="col">Subject</th><th scope="col">When</th></tr></thead>
<tbody>${mails.map(({ recipient, subject, queuedAt }) => html`<tr><td><bdi>${recipient}</bdi></td><td><bdi>${subject}</bdi></td><td>${when(queuedAt)}</td></tr>`)}</tbody></table></div>`
}`;
};
