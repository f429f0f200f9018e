import { ConnectorError, type FileBody, type Outcome, type Part } from "@portage/connector-kit";
import { askWholeList } from "./ask.ts";
import { keyIn, markerOf } from "./marker.ts";
import { partFields, partRow, type PartRow, subjectOf } from "./messages.ts";
import type { RtIo } from "./settings.ts";

export interface MessageForm {
  readonly ticketId: string;
  readonly visibility: "public" | "internal";
  readonly subject: string;
  readonly html: boolean;
  readonly text: string;
  /** Owners before and after, who would get a mail too; RT itself knows the requestors and copies. */
  readonly addresses: readonly string[];
  /** Fields of the ticket after the message; without them a reply opens an inactive ticket. */
  readonly set?: Readonly<Record<string, string>>;
  readonly file?: FileBody;
}

/**
 * Sends a message through RT's reply page, with the same token. Unlike REST2, this page can suppress the
 * notifications of one message. Returns whether RT reports that it recorded the message.
 */
export const sendMessage = async (io: RtIo, form: MessageForm): Promise<boolean> => {
  const { ticketId, visibility, subject, html, text, addresses, set = {}, file } = form;
  const fields: readonly (readonly [string, string])[] = [
    ["id", ticketId],
    ["SubmitTicket", "1"],
    ["UpdateType", visibility === "public" ? "response" : "private"],
    ["UpdateSubject", subject],
    ["UpdateContentType", html ? "text/html" : "text/plain"],
    ["UpdateContent", text],
    ["SkipNotification", "Requestor"],
    ["SkipNotification", "Cc"],
    ["SkipNotification", "AdminCc"],
    // The possible recipients: listed here, and none of them selected.
    ["TxnRecipients", addresses.join(",")],
    ...Object.entries(set),
  ];
  const parts: Part[] = fields.map(([name, content]) => ({ name, content }));
  if (file) parts.push({ name: "Attach", content: file });
  const answer = await io.http.send({
    url: "Ticket/Update.html",
    method: "POST",
    parts,
    headers: { referer: new URL(io.settings.instanceUrl).origin, accept: "text/html" },
    accept: [302, 303],
  });
  if ([302, 303].includes(answer.status) && /[?&]results=/.test(answer.headers.location ?? "")) return true;
  if (/CSRF|cross-site/i.test(answer.text))
    throw new ConnectorError({
      recovery: "abort",
      code: "other_address",
      message: "Request Tracker is configured for a different address than this one.",
      setting: "instanceUrl",
    });
  if (/NoAuth\/Login/.test(answer.headers.location ?? answer.text.slice(0, 20_000)))
    throw new ConnectorError({
      recovery: "reauthorize",
      code: "unauthorized",
      message: "Request Tracker does not accept this token for its pages.",
      setting: "token",
    });
  return false;
};

export const notRecorded = {
  code: "not_recorded",
  message: "Request Tracker did not record the message.",
} as const;

/** RT does not record such a text, so the message needs another one. */
export const isNothing = (text: string, html: boolean): boolean => {
  const bare = (html ? text.replace(/&nbsp;|<br\/?>|<p>&nbsp;<\/p>/g, "") : text).replace(/\s+/g, "");
  return text === "0" || bare === "" || bare === "--";
};

const byKey = (parts: readonly PartRow[], keys: ReadonlySet<string>) => {
  const found = new Map<string, number[]>();
  for (const part of parts) {
    const key = keyIn(subjectOf(part));
    if (key !== null && keys.has(key)) found.set(key, [...(found.get(key) ?? []), part.TransactionId]);
  }
  return found;
};

/** The events whose subject holds a key: of one ticket if the caller knows it, else of all. */
export const findMessages = async (
  io: RtIo,
  keys: readonly string[],
  ticketId: string | null,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  if (keys.length === 0) return new Map();
  const limits = keys.map((key) => ({ field: "Subject", operator: "LIKE", value: markerOf(key) }));
  const path = ticketId === null ? "attachments" : `ticket/${ticketId}/attachments`;
  const parts = await askWholeList(io, { path, row: partRow, fields: partFields, limits });
  return byKey(parts, new Set(keys));
};

/**
 * The event that was just sent, or its outcome: without an event, RT's report tells whether it may still come. A message that
 * RT neither reports nor shows was not written.
 */
export const writtenMessage = async (
  io: RtIo,
  key: string,
  ticketId: string,
  isRecorded: boolean,
): Promise<number | Outcome<never>> => {
  const [id] = (await findMessages(io, [key], ticketId)).get(key) ?? [];
  if (id !== undefined) return id;
  return isRecorded
    ? { kind: "unknown", why: "Request Tracker took the message but does not show it." }
    : { kind: "rejected", ...notRecorded };
};
