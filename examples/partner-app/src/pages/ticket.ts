import type { RichText } from "@portage/connector-kit";
import type { Row, Store } from "../store/store.ts";
import { commentIds, idsOf, type Named, relationIds } from "../store/store-pages.ts";
import type { StreamName } from "../store/store-tables.ts";
import { attachmentList } from "./attachments.ts";
import { type Html, html } from "./html.ts";
import { customProperties, properties, provenance, status, tagList, when, who } from "./parts.ts";
import { richText } from "./rich-text.ts";
import { statusKinds } from "./ticket-list.ts";

const kinds: Readonly<Record<string, string>> = {
  reply: "reply",
  note: "note",
  forward: "forwarded",
  call: "call",
  chat: "chat",
};

/** How a comment came or went, and to whom. */
const sending = ({ values }: Row): Html | null => {
  const { kind, channel, incoming, to, cc } = values;
  const facts = [
    typeof kind === "string" ? (kinds[kind] ?? kind) : null,
    typeof channel === "string" ? `by ${channel}` : null,
    incoming === null ? null : incoming ? "received" : "sent",
    (to as string[]).length > 0 ? `to ${(to as string[]).join(", ")}` : null,
    (cc as string[]).length > 0 ? `copies to ${(cc as string[]).join(", ")}` : null,
  ].filter((each) => each !== null);
  return facts.length === 0 ? null : html` <span class="quiet"><bdi>${facts.join(", ")}</bdi></span>`;
};

const message = (store: Store, row: Row, stream: string, text: RichText | null): Html => {
  const internal = row.values.visibility === "internal" && stream === "comments";
  return html`<article class="message${internal ? " internal" : ""}" id="${stream === "comments" ? `comment-${row.id}` : "description"}">
<header><strong>${who(store, row.values.author as Named | null)}</strong> ${when(row.values.createdAt)}${
    internal && html` <span class="badge">Internal note</span>`
  }${stream === "comments" ? sending(row) : null}</header>
${text ? richText(text) : html`<p class="quiet">No text.</p>`}
${attachmentList(store, stream, row.id)}
${tagList(stream === "comments" ? row.values.tags : [])}
</article>`;
};

const text = (value: unknown) => (typeof value === "string" ? value : null);

const nameIn = (store: Store, stream: "groups" | "organizations" | "brands", id: unknown): string | null =>
  typeof id === "string" ? text(store.get(stream, id)?.values.name ?? null) : null;

const rowsOf = (store: Store, stream: StreamName, ids: readonly string[]) =>
  ids.map((each) => store.get(stream, each)).filter((each) => each !== null);

const relationWords: Readonly<Record<string, readonly [from: string, to: string]>> = {
  relates: ["Related to", "Related to"],
  duplicates: ["Duplicates", "Duplicated by"],
  parent_of: ["Parent of", "Part of"],
  causes: ["Causes", "Caused by"],
};

/** Links, time and the customer's rating. */
const beside = (store: Store, id: string): readonly (readonly [string, Html | string | null])[] => [
  ...rowsOf(store, "ticketRelations", relationIds(store.database, id)).map(({ values }) => {
    const isFrom = values.fromTicketId === id;
    const other = String(isFrom ? values.toTicketId : values.fromTicketId);
    const words = relationWords[String(values.kind)];
    return [
      words?.[isFrom ? 0 : 1] ?? String(values.kind),
      html`<a href="/tickets/${other}">#${other}</a>`,
    ] as const;
  }),
  ...rowsOf(store, "timeEntries", idsOf(store.database, "timeEntries", id)).map(
    ({ values }) =>
      [
        "Time",
        html`${String(values.minutes)} min by ${who(store, values.author as Named | null)} <bdi>${text(values.note)}</bdi>`,
      ] as const,
  ),
  ...rowsOf(store, "ratings", idsOf(store.database, "ratings", id)).map(
    ({ values }) =>
      [
        "Rating",
        html`${String(values.score)} <bdi>${text(values.comment) ?? text(values.word)}</bdi>`,
      ] as const,
  ),
];

const replyForm = ({
  id,
  values,
}: Row): Html => html`<form class="card reply" method="post" action="/tickets/${id}/replies">
<h2>Reply</h2>
<p><label for="body">Your reply</label><textarea id="body" name="body" rows="5" required maxlength="20000"></textarea></p>
<p><label><input type="checkbox" name="internal" value="yes"> Internal note: customers don't see it, and it sends no mail</label></p>
<p><label for="status">Status afterwards</label>
<select id="status" name="status">${Object.entries(statusKinds).map(
  ([kind, label]) =>
    html`<option value="${kind}"${values.statusKind === kind ? html` selected` : null}>${label}</option>`,
)}</select></p>
<p><button>Send</button></p></form>`;

export const ticketPage = (store: Store, row: Row): Html => {
  const { id, values } = row;
  const comments = commentIds(store.database, id)
    .map((each) => store.get("comments", each))
    .filter((each) => each !== null);
  const followers = (values.followers as Named[]).map(
    (each) => html`${who(store, { ...each, name: null, email: null })} `,
  );
  return html`<p class="crumb"><a href="/">Tickets</a></p>
<h1><span class="quiet">#${id}</span> <bdi>${String(values.subject) || "(no subject)"}</bdi></h1>
<p class="facts">${status(String(values.statusKind), String(values.status))} made ${when(values.createdAt)}, changed ${when(values.updatedAt)}</p>
<div class="columns">
<div class="thread">
${message(store, row, "tickets", values.description as RichText | null)}
${comments.map((comment) => message(store, comment, "comments", comment.values.body as RichText))}
${replyForm(row)}
</div>
<aside aria-label="About this ticket">
<section class="card" aria-labelledby="details"><h2 id="details">Details</h2>
${properties([
  ["Number", text(values.number)],
  ["For", who(store, values.requester as Named | null)],
  ["Assigned to", who(store, values.assignee as Named | null)],
  ["Group", nameIn(store, "groups", values.groupId)],
  ["Organization", nameIn(store, "organizations", values.organizationId)],
  ["Priority", text(values.priority)],
  ["Type", text(values.type)],
  ["Came by", text(values.channel)],
  ["Due", values.dueAt === null ? null : when(values.dueAt)],
  ["Solved", values.solvedAt === null ? null : when(values.solvedAt)],
  ["Followers", followers.length > 0 ? html`${followers}` : null],
  ["Copies to", (values.cc as string[]).join(", ")],
  ["Visibility", text(values.visibility)],
  ["Form", text(values.formName)],
  ["Brand", nameIn(store, "brands", values.brandId) ?? text(values.brand)],
  ["Kept as", text(values.state)],
  [
    "Merged into",
    typeof values.mergedInto === "string"
      ? html`<a href="/tickets/${values.mergedInto}">#${values.mergedInto}</a>`
      : null,
  ],
  ["Id in another system", text(values.externalId)],
  ...beside(store, id),
  ...customProperties(store, "tickets", row),
])}${tagList(values.tags)}</section>
${provenance(row)}
</aside>
</div>`;
};
