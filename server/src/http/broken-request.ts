import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, errorStatuses } from "@portage/contract";
import type { Log } from "../platform/log.ts";

const problemOf = (code: string | undefined): { code: ErrorCode; message: string } => {
  if (code === "HPE_HEADER_OVERFLOW")
    return { code: "headers_too_large", message: "The headers are too large." };
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { code: "request_timeout", message: "The request took too long to arrive." };
  return { code: "bad_request", message: "This is not a valid HTTP request." };
};

/** Answers what Node's parser could not read; no framework is there yet, so the bytes are written by hand. */
export const answerBrokenRequest =
  (log: Log) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    const started = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage
      ?.headersSent;
    if (error.code === "ECONNRESET" || !socket.writable || started) {
      socket.destroy();
      return;
    }
    const { code, message } = problemOf(error.code);
    const status = errorStatuses[code];
    const requestId = randomUUID();
    const body = JSON.stringify({ error: { code, message, request_id: requestId } });
    log.info({ request_id: requestId, status, reason: error.code }, "broken request");
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        "Content-Type: application/json; charset=utf-8",
        `Content-Length: ${Buffer.byteLength(body)}`,
        "Cache-Control: no-store",
        `X-Request-Id: ${requestId}`,
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  };
