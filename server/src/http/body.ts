import type { IncomingMessage } from "node:http";
import { Problem } from "./answer.ts";

const defaultMaxBytes = 64 * 1024;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const isJsonType = (contentType: string | undefined) =>
  contentType === undefined || /^\s*application\/json\s*(;|$)/i.test(contentType);

/** Whether a request announces a body, whatever type it names for it. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** A request's body as it was sent, up to a limit. */
export const readBytes = async (raw: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const tooLarge = new Problem("bad_request", `The body is larger than ${maxBytes / 1024} KiB.`);
  if (Number(raw.headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    raw.on("data", (chunk: Buffer) => {
      length += chunk.length;
      // Beyond the limit, drain the rest unread so that the response still reaches the client.
      if (length > maxBytes) reject(tooLarge);
      else chunks.push(chunk);
    });
    raw.on("end", () => resolve(Buffer.concat(chunks)));
    raw.on("error", () => reject(new Problem("bad_request", "The body ended early.")));
  });
};

/** A body as it arrives. What the reader leaves is drained, so that the response still reaches the client. */
export async function* readStream(raw: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch {
    throw new Problem("bad_request", "The body ended early.");
  } finally {
    raw.resume();
  }
}

const parse = (bytes: Buffer): { readonly text: string; readonly value: unknown } => {
  try {
    const text = utf8.decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    throw new Problem("bad_request", "The body is not JSON in UTF-8.");
  }
};

export interface JsonBody {
  /** The raw text: deeply nested JSON can be parsed but not serialized again. */
  readonly text: string;
  readonly object: object;
}

/**
 * The JSON object that a request carries. Fastify's parser would run before the route authenticates, and would hand on
 * the value without the text.
 */
export const readJsonObject = async (
  raw: IncomingMessage,
  maxBytes: number = defaultMaxBytes,
): Promise<JsonBody> => {
  const encoding = raw.headers["content-encoding"];
  if (encoding !== undefined) throw new Problem("bad_request", "Send the body without a Content-Encoding.");
  if (!isJsonType(raw.headers["content-type"]))
    throw new Problem("bad_request", "Send the body as application/json.");
  const { text, value } = parse(await readBytes(raw, maxBytes));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Problem("bad_request", "The body must be a JSON object.");
  return { text, object: value };
};
