import { Stripe } from "stripe";
import type { Outbound } from "../../platform/outbound/index.ts";

const limits = { totalMs: 10_000, maxBytes: 4 * 1024 * 1024, maxRedirects: 0 };

const readAll = async (body: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Adapts the guarded outbound client to Stripe's client. It returns a redirect as an answer and follows none. */
export const createStripeTransport = (outbound: Pick<Outbound, "send">) =>
  Stripe.createFetchHttpClient(async (url: string | URL | Request, init: RequestInit = {}) => {
    const answer = await outbound.send({
      url: url instanceof Request ? url.url : String(url),
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      // Stripe's client sends forms as text.
      body: typeof init.body === "string" ? init.body : null,
      ...(init.signal && { signal: init.signal }),
      limits,
    });
    return new Response(await readAll(answer.body), {
      status: answer.status,
      headers: { ...answer.headers },
    });
  });
