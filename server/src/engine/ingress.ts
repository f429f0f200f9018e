import { Pool } from "undici";
import type { ChunkToSend } from "../features/runs/index.ts";
import type { DeliveryToSend } from "../features/webhooks/index.ts";
import { currentTrace } from "../platform/tracing.ts";
import { chunkDelayMs, chunkHandler, chunkKey, chunkRef, chunkService, traceHeader } from "./chunk-key.ts";
import { deliveryHandler, deliveryKey, deliveryRef, deliveryService } from "./delivery-key.ts";

const connections = 8;
const patienceMs = 3_000;

export class IngressError extends Error {
  readonly code: string;
  /** The request is valid: Restate is unreachable or not ready. */
  readonly isOutage: boolean;
  constructor(code: string, isOutage: boolean, cause?: unknown) {
    super(`Restate did not accept the invocation: ${code}`, { cause });
    this.code = code;
    this.isOutage = isOutage;
  }
}

/** The client of Restate's ingress: sends invocations from outside of an invocation. */
export interface Ingress {
  /** Resolves when Restate has accepted all chunks; throws if one is unconfirmed. */
  send(chunks: readonly ChunkToSend[]): Promise<void>;
  sendDelivery(delivery: DeliveryToSend): Promise<void>;
  close(): Promise<void>;
}

export const createIngress = (url: string): Ingress => {
  const pool = new Pool(new URL(url).origin, {
    connections,
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
    connect: { timeout: patienceMs },
  });
  const prefix = new URL(url).pathname.replace(/\/$/, "");
  const post = async ({ path, key, body: sent }: { path: string; key: string; body: object }) => {
    const trace = currentTrace();
    const { statusCode, body } = await pool
      .request({
        method: "POST",
        path: `${prefix}/${path}`,
        headers: {
          "content-type": "application/json",
          "idempotency-key": key,
          ...(trace !== null && { [traceHeader]: trace }),
        },
        body: JSON.stringify(sent),
      })
      .catch((error: unknown) => {
        throw new IngressError((error as { code?: string } | null)?.code ?? "unreachable", true, error);
      });
    await body.dump();
    // 404: no worker is registered yet.
    const isOutage = statusCode >= 500 || statusCode === 404 || statusCode === 429;
    if (statusCode >= 300) throw new IngressError(`status_${statusCode}`, isOutage);
  };
  const sendChunk = (chunk: ChunkToSend) =>
    post({
      path: `${chunkService}/${chunkHandler}/send?delay=${chunkDelayMs(chunk)}ms`,
      key: chunkKey(chunk),
      body: chunkRef(chunk),
    });
  return {
    sendDelivery: (delivery) =>
      post({
        path: `${deliveryService}/${deliveryHandler}/send?delay=${Math.ceil(delivery.delayMs)}ms`,
        key: deliveryKey(delivery),
        body: deliveryRef(delivery),
      }),
    send: async (chunks) => {
      const outcomes = await Promise.allSettled(chunks.map(sendChunk));
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
    },
    close: () => pool.close(),
  };
};
