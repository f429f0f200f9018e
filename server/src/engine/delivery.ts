import { eventIdPattern } from "@portage/contract";
import { type Context, type Serde, serde, service, TerminalError } from "@restatedev/restate-sdk";
import { z } from "zod";
import type { DeliveryRef, DeliveryToSend, Webhooks } from "../features/webhooks/index.ts";
import type { Log } from "../platform/log.ts";
import { deliveryHandler, deliveryKey, deliveryRef, deliveryService } from "./delivery-key.ts";
import type { Semaphore } from "./semaphore.ts";
import { workerRetries } from "./retries.ts";
import { withoutDetails } from "./without-details.ts";

interface Needs {
  readonly webhooks: Pick<Webhooks, "retry" | "putBack">;
  /** Shared with first attempts. */
  readonly places: Semaphore;
  readonly log: Log;
}

const sentRef = z.object({ eventId: z.string().regex(eventIdPattern), generation: z.int().min(0) });

/** Restate retries a failed step at once; then the invocation ends, and the delivery is taken once it is overdue. */
const stepRetries = { maxRetryAttempts: 3, initialRetryInterval: 200, retryIntervalFactor: 4 };
const keyKeptMs = 60_000;

/** The service of webhook retries: one durable step makes one attempt, after the delay of the previous one. */
export const createDeliveryService = ({ webhooks, places, log }: Needs) => {
  const step = async (ref: DeliveryRef): Promise<DeliveryToSend | null> => {
    const [giveBack] = places.tryTake(1);
    try {
      // No waiting inside a worker: the delivery becomes due, and a worker with free capacity takes it.
      if (!giveBack) return await webhooks.putBack(ref).then(() => null);
      const next = await webhooks.retry(ref, places.free());
      // Copied field by field, so that no other data of the result gets into the journal.
      return next && { ...deliveryRef(next), delayMs: next.delayMs };
    } catch (error) {
      log.warn({ err: error, event: ref.eventId }, "delivery failed");
      throw withoutDetails("delivery", error);
    } finally {
      giveBack?.();
    }
  };

  const retry = async (ctx: Context, sent: unknown): Promise<void> => {
    const parsed = sentRef.safeParse(sent);
    if (!parsed.success) throw new TerminalError("not a delivery", { errorCode: 400 });
    const next = await ctx.run("attempt", () => step(parsed.data), stepRetries);
    if (next)
      ctx.genericSend({
        service: deliveryService,
        method: deliveryHandler,
        parameter: deliveryRef(next),
        inputSerde: serde.json as Serde<DeliveryRef>,
        idempotencyKey: deliveryKey(next),
        delay: Math.ceil(next.delayMs),
      });
  };

  return service({
    name: deliveryService,
    handlers: { [deliveryHandler]: retry },
    options: { journalRetention: 0, idempotencyRetention: keyKeptMs, retryPolicy: workerRetries },
  });
};
