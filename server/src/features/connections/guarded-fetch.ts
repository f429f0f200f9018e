import type { Transport } from "@portage/connector-kit/http";
import type { CustomFetch } from "openid-client";

const bodiless = new Set([204, 205, 304]);

const readAll = async (body: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** The guarded outbound client as a `fetch`, for libraries that make their own requests. */
export const createGuardedFetch =
  (transport: Transport, limits: { readonly totalMs: number; readonly maxBytes: number }): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await transport.send({
      url,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      // OAuth sends forms, and nothing else uses this.
      body: body instanceof URLSearchParams ? body.toString() : null,
      ...(signal && { signal }),
      limits: { ...limits, maxRedirects: 0 },
    });
    const bytes = await readAll(answer.body);
    return new Response(bodiless.has(answer.status) ? null : bytes, {
      status: answer.status,
      headers: { ...answer.headers },
    });
  };
