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

interface Pending {
  readonly headersSent: boolean;
  readonly req: { readonly complete: boolean };
  once(event: "close", then: () => void): void;
}

/** The response that the connection awaits or writes. */
const pendingAnswer = (socket: Socket) => (socket as Socket & { _httpMessage?: Pending | null })._httpMessage;

const write = (log: Log, socket: Socket, reason: string | undefined) => {
  const { code, message } = problemOf(reason);
  const status = errorStatuses[code];
  const requestId = randomUUID();
  const body = JSON.stringify({ error: { code, message, request_id: requestId } });
  log.info({ request_id: requestId, status, reason }, "broken request");
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

/** Answers requests that Node's parser rejects; the framework never sees them, so this writes the bytes itself. */
export const answerBrokenRequest = (log: Log) => {
  // The parser also reports every chunk that follows.
  const answering = new WeakSet<Socket>();
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    if (answering.has(socket)) return;
    answering.add(socket);
    const answer = (): void => {
      const pending = pendingAnswer(socket);
      if (!socket.writable || (pending?.headersSent && !pending.req.complete)) socket.destroy();
      // Pipelined requests before the broken one are valid: answer them first, in order.
      else if (pending?.req.complete) pending.once("close", () => setImmediate(answer));
      else write(log, socket, error.code);
    };
    answer();
  };
};

/** CONNECT is for proxies; by default Node closes the connection without a response. */
export const answerConnect = (log: Log) => (_: unknown, socket: Socket) => write(log, socket, "CONNECT");
