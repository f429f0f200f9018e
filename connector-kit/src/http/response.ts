import type { ZodType } from "zod";
import { ConnectorError } from "../errors.ts";
import type { HttpResponse } from "../io.ts";
import type { TransportResponse } from "./transport.ts";

/** The whole body in memory; only for answers that are known to be small. */
export const readText = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
};

const unexpected = (label: string, what: string, cause?: unknown) =>
  new ConnectorError({
    recovery: "abort",
    code: "unexpected_answer",
    message: `${label} gave an unexpected answer: ${what}.`,
    cause,
  });

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
