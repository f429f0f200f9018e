import { helpdesk, type RecordOf } from "@portage/connector-kit";
import { z } from "zod";

export type Ticket = RecordOf<typeof helpdesk.tickets>;
export type Comment = RecordOf<typeof helpdesk.comments>;

const text = z.object({ format: z.enum(["plain", "html", "markdown", "textile"]), text: z.string() });
const visibility = z.enum(["public", "internal"]);

/** The columns of the tool's rows that the connector uses: a row that does not match fails here, not later. */
export const ticketRow = z.object({
  id: z.string(),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
  subject: z.string(),
  description: text.nullable(),
  status: z.string(),
  statusKind: z.enum(["new", "open", "pending", "on_hold", "solved", "closed"]),
  visibility,
});

export const commentRow = z.object({
  id: z.string(),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
  ticketId: z.string(),
  visibility,
  body: text,
});

/** Set each field that the tool names differently; `make` fills in the rest. */
export const toTicket = (row: z.infer<typeof ticketRow>): Ticket => helpdesk.tickets.make({ ...row });

export const toComment = (row: z.infer<typeof commentRow>): Comment => helpdesk.comments.make({ ...row });

export const fromTicket = (ticket: Ticket) => ({
  createdAt: ticket.createdAt,
  updatedAt: ticket.updatedAt,
  subject: ticket.subject,
  description: ticket.description,
  status: ticket.status,
  statusKind: ticket.statusKind,
  visibility: ticket.visibility,
});
