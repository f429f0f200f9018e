import { addressBook, type TextReference } from "@portage/connector-kit";
import type { RtSettings } from "./settings.ts";

const book = addressBook({
  comments: {
    at: "/Ticket/Display.html?id=:id#txn-:transactionId",
    id: ({ transactionId = "" }) => transactionId,
    parts: ({ id, parentId = "" }) => ({ id: parentId, transactionId: id }),
  },
  tickets: {
    at: ["/Ticket/Display.html?id=:id", "/Ticket/History.html?id=:id", "/SelfService/Display.html?id=:id"],
  },
  articles: "/Articles/Article/Display.html?id=:id",
  // A URL does not show whether a person is an agent or a contact, so people are always found as contacts.
  contacts: "/User/Summary.html?id=:id",
  groups: {
    at: ["/Search/Results.html?Query=Queue%20%3D%20:id", "/Search/Results.html?Query=Queue%20%3D%20':id'"],
  },
});

const files = addressBook({
  attachments: {
    at: ["/Ticket/Attachment/:transactionId/:id", "/Ticket/Attachment/:transactionId/:id/:name"],
  },
});

export const urlOf = book.urlOf;
export const recordAt = book.recordAt;

/** The record that a link in a text leads to: a ticket, an article or a file. */
export const targetOf = (settings: RtSettings, url: string): TextReference["to"] => {
  const found = files.targetOf(settings, url) ?? book.targetOf(settings, url);
  if (found?.stream === "comments") return targetOf(settings, url.replace(/#.*/, ""));
  return found && ["attachments", "tickets", "articles"].includes(found.stream) ? found : null;
};
