import type { ZodType } from "zod";
import { ConnectorError } from "../errors.ts";
import type { HttpResponse } from "../io.ts";
import type { ByteBudget } from "./byte-budget.ts";
import type { TransportResponse } from "./transport.ts";

const utf8 = new TextDecoder();

/** The whole body in memory; only for answers that are known to be small. */
const readText = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
};

/** Reads a body that no one looks at, so that its connection can be used again. */
export const drain = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of body);
};

const explainedBytes = 64 * 1024;

/** The start of a body that may be of any size; reads all of it, as `drain` does. */
export const readStart = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let left = explainedBytes;
  for await (const chunk of body) {
    if (left > 0) chunks.push(chunk.subarray(0, left));
    left -= chunk.byteLength;
  }
  return utf8.decode(Buffer.concat(chunks));
};

/** Answers up to this size are received without asking the budget. */
const freeBytes = 1024 * 1024;

/**
 * Like `readText`, within the budget. It takes all that the answer may have at once: if two answers each held a part and waited
 * for more, both would wait for ever.
 */
export const readWithin = async (
  { body, headers }: Pick<TransportResponse, "body" | "headers">,
  maxBytes: number,
  budget: ByteBudget | undefined,
  signal: AbortSignal,
): Promise<string> => {
  if (!budget) return readText(body);
  const length = Number(headers["content-length"] ?? Number.NaN);
  if (length <= freeBytes) return readText(body);
  const expected = Number.isSafeInteger(length) ? Math.min(length, maxBytes) : maxBytes;
  let release: (() => void) | null = null;
  let bytes = 0;
  async function* within() {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > freeBytes) release ??= (await budget?.take(expected, signal)) ?? null;
      yield chunk;
    }
  }
  try {
    return await readText(within());
  } finally {
    (release as (() => void) | null)?.();
  }
};

const unexpected = (label: string, what: string, cause?: unknown) =>
  new ConnectorError({
    recovery: "abort",
    code: "unexpected_answer",
    message: `${label} gave an unexpected answer: ${what}.`,
    cause,
  });

/**
 * A page for people in the place of data: of a proxy, a maintenance or a sign-in. Its status 200 says nothing about the request,
 * and a connector that reads no body, as after a removal, would take it for success.
 */
export const refusePage = (
  label: string,
  accepted: string | undefined,
  { status, headers }: Pick<TransportResponse, "status" | "headers">,
  text: string,
): void => {
  if (status >= 300 || accepted?.includes("html") || !/html/i.test(headers["content-type"] ?? "")) return;
  if (/^\s*<(!doctype|html)\b/i.test(text)) throw unexpected(label, "a page in place of data");
};

export const toHttpResponse = (
  label: string,
  { status, headers, url }: TransportResponse,
  text: string,
): HttpResponse => ({
  status,
  headers,
  url,
  text,
  json<T>(schema?: ZodType<T>): T {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      // The parser's own message quotes the answer, which is customer data.
      throw unexpected(label, "no JSON");
    }
    if (!schema) return parsed as T;
    const checked = schema.safeParse(parsed);
    if (checked.success) return checked.data;
    const paths = checked.error.issues.slice(0, 5).map(({ path, code }) => `${path.join(".")} (${code})`);
    throw unexpected(label, paths.join(", "));
  },
});
