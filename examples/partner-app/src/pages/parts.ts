import type { Row, Store } from "../store/store.ts";
import { type CreatedField, createdFields } from "../store/store-fields.ts";
import { nameOf, type Named } from "../store/store-pages.ts";
import type { StreamName } from "../store/store-tables.ts";
import { ticketFields } from "../ticket-fields.ts";
import { type Html, html } from "./html.ts";

const dateFormat = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

export const when = (moment: unknown): Html => {
  if (typeof moment !== "string") return html`<span class="quiet">date unknown</span>`;
  return html`<time datetime="${moment}">${dateFormat.format(new Date(moment))}</time>`;
};

/** The current name of a person who exists here; for others the name at the time, marked as such. */
export const who = ({ database }: Store, person: Named | null): Html => {
  if (!person) return html`<span class="quiet">none</span>`;
  const { stream, id, name, email } = person;
  const known =
    id !== null && (stream === "users" || stream === "contacts") ? nameOf(database, stream, id) : null;
  if (known !== null)
    return html`<a href="${stream === "users" ? `/people#user-${id}` : `/contacts/${id}`}"><bdi>${known}</bdi></a>`;
  return html`<bdi>${name ?? email ?? "unknown person"}</bdi> <span class="quiet">(not here)</span>`;
};

export const status = (kind: string, word: string): Html =>
  html`<span class="status status-${kind}">${word}</span>`;

export const tagList = (tags: unknown): Html | null =>
  Array.isArray(tags) && tags.length > 0
    ? html`<ul class="tags" aria-label="Tags">${tags.map((tag) => html`<li><bdi>${String(tag)}</bdi></li>`)}</ul>`
    : null;

export const properties = (list: readonly (readonly [string, Html | string | null])[]): Html =>
  html`<dl>${list
    .filter(([, value]) => value !== null && value !== "")
    .map(
      ([name, value]) =>
        html`<div><dt><bdi>${name}</bdi></dt><dd>${typeof value === "string" ? html`<bdi>${value}</bdi>` : value}</dd></div>`,
    )}</dl>`;

const custom = (field: ShownField | undefined, value: unknown): string | null => {
  if (value === null) return null;
  const options = field?.options ?? [];
  const shown = (each: unknown) => options.find((option) => option.value === each)?.label ?? String(each);
  return Array.isArray(value) ? value.map(shown).join(", ") : shown(value);
};

type ShownField = Pick<CreatedField, "key" | "label" | "options">;

export const customProperties = (
  store: Store,
  stream: StreamName,
  { values }: Row,
): readonly (readonly [string, string | null])[] => {
  const fields: readonly ShownField[] = [...ticketFields, ...createdFields(store, stream)];
  return Object.entries(values.customFields as Record<string, unknown>).map(([key, value]) => {
    const field = fields.find((each) => each.key === key);
    return [field?.label ?? key, custom(field, value)];
  });
};

/** The origin of a record, which explains its date and its author. */
export const provenance = ({ key, sourceId, importedAt }: Row): Html | null =>
  key === null
    ? null
    : html`<section class="card provenance" aria-labelledby="provenance"><h2 id="provenance">Where it comes from</h2>
${properties([
  ["Moved here", when(importedAt)],
  ["Id in the old tool", sourceId],
  ["Key", html`<code>${key}</code>`],
])}</section>`;
