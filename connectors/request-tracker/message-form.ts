import {
  ConnectorError,
  type FileBody,
  idsByKey,
  inDoubt,
  keyIn,
  markerOf,
  type Outcome,
  type Part,
  rejected,
} from "@portage/connector-kit";
import { askWholeList } from "./ask.ts";
import { partQuestion } from "./messages.ts";
import { subjectOf } from "./parts.ts";
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

export const notRecorded = rejected("not_recorded", "Request Tracker did not record the message.");

/** RT does not record such a text, so the message needs another one. */
export const isNothing = (text: string, html: boolean): boolean => {
  const bare = (html ? text.replace(/&nbsp;|<br\/?>|<p>&nbsp;<\/p>/g, "") : text).replace(/\s+/g, "");
  return text === "0" || bare === "" || bare === "--";
};

/** The events whose subject holds a key: of one ticket if the caller knows it, else of all. */
export const findMessages = async (
  io: RtIo,
  keys: readonly string[],
  ticketId: string | null,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (keys.length === 0) return new Map();
  const limits = keys.map((key) => ({ field: "Subject", operator: "LIKE", value: markerOf(key) }));
  const path = ticketId === null ? "attachments" : `ticket/${ticketId}/attachments`;
  const parts = await askWholeList(io, { ...partQuestion, path, limits });
  const found = parts.map((part) => ({ key: keyIn(subjectOf(part)), id: String(part.TransactionId) }));
  return idsByKey(
    keys.map((key) => ({ key })),
    found,
  );
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
): Promise<string | Outcome<never>> => {
  const [id] = (await findMessages(io, [key], ticketId)).get(key) ?? [];
  if (id !== undefined) return id;
  return isRecorded ? inDoubt("Request Tracker took the message but does not show it.") : notRecorded;
};
