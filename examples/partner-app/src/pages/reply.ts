import type { Row, Store } from "../store/store.ts";
import { type Named, queueMail } from "../store/store-pages.ts";
import { statusKinds } from "./ticket-list.ts";

export interface Reply {
  readonly body: string;
  readonly internal: boolean;
  readonly status: string;
}

const recipientOf = (store: Store, { values }: Row): string | null => {
  const requester = values.requester as Named | null;
  if (!requester) return null;
  const contact =
    requester.stream === "contacts" && requester.id ? store.get("contacts", requester.id) : null;
  return ((contact?.values.emails as string[] | undefined)?.[0] ?? requester.email) || null;
};

/** A reply that an agent writes here. Unlike an imported comment it changes the ticket's date and sends a mail. */
export const addReply = (store: Store, ticket: Row, { body, internal, status }: Reply, now: string): void => {
  const visibility = internal ? "internal" : "public";
  const text = { format: "plain", text: body, references: [] };
  store.together(() => {
    store.insert(
      "comments",
      { ticketId: ticket.id, visibility, body: text, createdAt: now, updatedAt: now },
      null,
    );
    const label = statusKinds[status as keyof typeof statusKinds];
    const moved = label && status !== ticket.values.statusKind ? { status: label, statusKind: status } : {};
    store.update("tickets", ticket.id, { ...moved, updatedAt: now });
    const recipient = recipientOf(store, ticket);
    if (!internal && recipient)
      queueMail(store.database, recipient, `Re: ${String(ticket.values.subject)} (#${ticket.id})`, now);
  });
};
