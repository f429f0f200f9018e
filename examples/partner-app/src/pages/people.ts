import type { RichText } from "@portage/connector-kit";
import type { Row, Store } from "../store/store.ts";
import { idsPage, lastMails, ticketLines } from "../store/store-pages.ts";
import { type Html, html } from "./html.ts";
import { customProperties, properties, provenance, tagList, when } from "./parts.ts";
import { richText } from "./rich-text.ts";
import { dataTable } from "./table.ts";
import { ticketTable } from "./ticket-list.ts";

const perPage = 100;

const rowsOf = (store: Store, stream: "users" | "contacts" | "groups" | "brands", after: number) => {
  const { ids, next } = idsPage(store.database, stream, after, perPage);
  return { rows: ids.map((id) => store.get(stream, id)).filter((row) => row !== null), next };
};

const more = (path: string, next: string | null): Html | null =>
  next ? html`<p class="more"><a href="${path}?after=${next}">More</a></p>` : null;

const list = (values: unknown): string => (values as string[]).join(", ");

/** The main organization first. */
const organizationName = (store: Store, { values }: Row): string | null => {
  const ids = new Set([values.organizationId, ...(values.organizationIds as string[])]);
  const names = [...ids].flatMap((id) => {
    const row = typeof id === "string" ? store.get("organizations", id) : null;
    return row ? [String(row.values.name)] : [];
  });
  return names.join(", ") || null;
};

const contactColumns = [
  { label: "Name", heads: true },
  { label: "Mail" },
  { label: "Phone" },
  { label: "Organization" },
] as const;

export const contactsPage = (store: Store, after: number): Html => {
  const { rows, next } = rowsOf(store, "contacts", after);
  const table = rows.map((row) => ({
    cells: [
      html`<a href="/contacts/${row.id}"><bdi>${String(row.values.name) || "(no name)"}</bdi></a>`,
      list(row.values.emails),
      list(row.values.phones),
      organizationName(store, row),
    ],
  }));
  return html`<h1>Contacts</h1>${dataTable("Contacts", contactColumns, table)}${more("/contacts", next)}`;
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
  ["Id in another system", (row.values.externalId as string | null) ?? null],
  ["Picture", (row.values.pictureUrl as string | null) ?? null],
  ["Sign-in", row.values.active === false ? "blocked" : null],
  ["Since", when(row.values.createdAt)],
  ...customProperties(store, "contacts", row),
])}${tagList(row.values.tags)}</section>${provenance(row)}</aside></div>`;
};

const peopleColumns = [
  { label: "Name", heads: true },
  { label: "Mail" },
  { label: "Role" },
  { label: "Sign-in" },
] as const;

const groupColumns = [
  { label: "Name", heads: true },
  { label: "Members", unit: "members" },
  { label: "What it is for" },
] as const;

const brandColumns = [{ label: "Name", heads: true }, { label: "Help pages" }, { label: "Tickets" }] as const;

export const peoplePage = (store: Store, after: number): Html => {
  const { rows, next } = rowsOf(store, "users", after);
  const people = rows.map(({ id, values }) => ({
    anchor: `user-${id}`,
    cells: [
      String(values.name),
      values.email as string | null,
      String(values.role),
      values.active === true ? "may sign in" : "may not sign in",
    ],
  }));
  const groups = rowsOf(store, "groups", 0).rows.map(({ id, values }) => ({
    anchor: `group-${id}`,
    cells: [String(values.name), (values.memberIds as string[]).length, values.description as string | null],
  }));
  const brands = rowsOf(store, "brands", 0).rows.map(({ values }) => ({
    cells: [
      String(values.name),
      values.url as string | null,
      values.active === true ? "takes tickets" : "takes no more tickets",
    ],
  }));
  return html`<h1>People</h1>${dataTable("People", peopleColumns, people)}${more("/people", next)}
<h2>Groups</h2>${dataTable("Groups", groupColumns, groups)}
${brands.length > 0 && html`<h2>Brands</h2>${dataTable("Brands", brandColumns, brands)}`}`;
};

const mailColumns = [{ label: "Subject", heads: true }, { label: "To" }, { label: "When" }] as const;

export const mailPage = (store: Store): Html => {
  const mails = lastMails(store.database, 100).map(({ recipient, subject, queuedAt }) => ({
    cells: [subject, recipient, when(queuedAt)],
  }));
  return html`<h1>Mail</h1>
<p>Every mail that this desk would have sent. Replies written here make one; what is moved here makes none.</p>
${dataTable("Mails", mailColumns, mails)}`;
};
