import type { CanaryCopy, SentMessage, Silence } from "@portage/connector-kit";
import { z } from "zod";
import { askBySql, numericIds } from "./ask.ts";
import { commentsDestination } from "./comments-destination.ts";
import { askParts, ofTickets } from "./messages.ts";
import { subjectOf } from "./parts.ts";
import { contactsDestination } from "./people-destination.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import { ticketsDestination } from "./tickets-destination.ts";

const emailRow = z.object({ id: z.coerce.number(), Type: z.string(), ObjectId: z.coerce.string() });
const emails = "(Type = 'EmailRecord' OR Type = 'CommentEmailRecord')";

/** Request Tracker records every mail about a ticket in the ticket's history, to any recipient. */
const sent = async (io: RtIo, copies: readonly CanaryCopy[]): Promise<readonly SentMessage[]> => {
  const tickets = numericIds(copies.flatMap(({ stream, id }) => (stream === "tickets" ? [id] : [])));
  const question = { path: "transactions", row: emailRow, fields: ["Type", "ObjectId"] };
  const rows = await askBySql(io, { ...question, sql: `${ofTickets} AND ${emails}` }, "ObjectId", tickets);
  const parts = await askParts(
    io,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, Type, ObjectId }) => {
    const envelope = parts.find(({ TransactionId }) => TransactionId === id);
    const subject = (envelope && subjectOf(envelope)) || "(no subject)";
    // A mail about a comment is in its ticket's history, too.
    return { stream: Type === "CommentEmailRecord" ? "comments" : "tickets", id: ObjectId, subject };
  });
};

/** RT can't delete a queue, so the canaries go to the first one, where tickets without a group go, too. */
export const silence: Silence<RtSettings> = {
  canaries: { helpdesk: [contactsDestination, ticketsDestination, commentsDestination] },
  mend: "In Request Tracker, open Admin, Global, Scrips, and Admin, Queues, Scrips, and disable those that notify addresses which the ticket does not name, for the time of the move.",
  sent,
};
