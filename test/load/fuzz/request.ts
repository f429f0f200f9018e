import { type HttpCase, type Message, type OperationName, placeholders, render } from "./http-case.ts";
import type { Target } from "./targets.ts";

export type Headers = Message["headers"];

export const authorized: Headers = [
  ["Host", "portage.test"],
  ["Authorization", placeholders.authorization],
];
export const methodOf = (operation: OperationName) => operation.slice(0, operation.indexOf(" "));
export const withLength = (headers: Headers, body: string): Headers => [
  ...headers,
  ["Content-Length", String(body.length)],
];

export const one = (
  kind: string,
  operation: OperationName | null,
  message: Message,
  more: Partial<HttpCase> = {},
): HttpCase => ({
  kind,
  operation,
  bytes: render(message),
  isHead: message.method === "HEAD",
  wanted: 1,
  halfClose: false,
  ...more,
});

export const plain = (
  kind: string,
  { operation, target }: Target,
  body: string,
  headers: Headers = [],
): HttpCase => {
  const method = methodOf(operation);
  const sends = method === "POST" || body !== "";
  return one(kind, operation, {
    method,
    target,
    headers: sends ? withLength([...authorized, ...headers], body) : [...authorized, ...headers],
    ...(sends && { body }),
  });
};
