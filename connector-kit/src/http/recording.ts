import { createHash } from "node:crypto";
import { createRedactor } from "./redact.ts";
import type { Transport } from "./transport.ts";

/** A request and its answer, without secrets: a line of a fixture file. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For a streamed body only a note: recordings contain no files. */
  readonly sent: string | null;
  readonly status: number;
  readonly answered: Readonly<Record<string, string>>;
  readonly body: { readonly text: string } | { readonly base64: string } | { readonly omitted: string };
}

const maxKept = 256 * 1024;

const kept = (bytes: Buffer, redact: (text: string) => string): Exchange["body"] => {
  if (bytes.length > maxKept) {
    const digest = createHash("sha256").update(bytes).digest("hex");
    return { omitted: `${bytes.length} bytes, sha256 ${digest}` };
  }
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? { text: redact(text) } : { base64: bytes.toString("base64") };
};

const sentText = (body: unknown): string | null =>
  body === null || body === undefined ? null : typeof body === "string" ? body : "[stream]";

/** Passes everything through and reports each exchange after its answer was read. */
export const recordExchanges = (
  transport: Transport,
  secrets: () => readonly string[],
  keep: (exchange: Exchange) => void,
): Transport => ({
  async send(request) {
    const redactor = createRedactor(secrets);
    const answer = await transport.send(request);
    async function* watched(): AsyncGenerator<Uint8Array> {
      const chunks: Uint8Array[] = [];
      let size = 0;
      let complete = false;
      try {
        for await (const chunk of answer.body) {
          size += chunk.byteLength;
          if (size <= maxKept) chunks.push(chunk);
          else chunks.length = 0;
          yield chunk;
        }
        complete = true;
      } finally {
        const sent = sentText(request.body);
        keep({
          method: request.method,
          url: redactor.text(request.url),
          headers: redactor.headers(request.headers),
          sent: sent === null ? null : redactor.text(sent),
          status: answer.status,
          answered: redactor.headers(answer.headers),
          body:
            complete && size <= maxKept
              ? kept(Buffer.concat(chunks), redactor.text)
              : { omitted: complete ? `${size} bytes` : "not read to its end" },
        });
      }
    }
    return { ...answer, body: watched() };
  },
});

export class ReplayError extends Error {
  readonly code = "not_recorded";
  readonly mayHaveArrived = false;
}

/** Answers from a recording: for each method, URL and body in the recorded order. */
export const replayExchanges = (
  exchanges: readonly Exchange[],
  secrets: () => readonly string[] = () => [],
): Transport => {
  const left = new Map<string, Exchange[]>();
  const keyOf = (method: string, url: string, sent: string | null) => JSON.stringify([method, url, sent]);
  for (const exchange of exchanges) {
    const key = keyOf(exchange.method, exchange.url, exchange.sent);
    left.set(key, [...(left.get(key) ?? []), exchange]);
  }
  const redactor = createRedactor(secrets);
  return {
    async send({ method, url, body }) {
      const sent = sentText(body);
      const key = keyOf(method, redactor.text(url), sent === null ? null : redactor.text(sent));
      const queue = left.get(key) ?? [];
      const found = queue.length > 1 ? queue.shift() : queue[0];
      if (!found || "omitted" in found.body)
        throw new ReplayError(`No recorded answer for ${method} ${redactor.text(url)}.`);
      const bytes =
        "text" in found.body ? Buffer.from(found.body.text) : Buffer.from(found.body.base64, "base64");
      return {
        status: found.status,
        headers: found.answered,
        url,
        body: (async function* () {
          yield bytes;
        })(),
      };
    },
  };
};
