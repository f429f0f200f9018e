import { eventIdPattern } from "@portage/contract";
import { type Context, type Serde, serde, service, TerminalError } from "@restatedev/restate-sdk";
import { z } from "zod";
import type { DeliveryRef, DeliveryToSend, Webhooks } from "../features/webhooks/index.ts";
import type { Log } from "../platform/log.ts";
import { deliveryHandler, deliveryKey, deliveryRef, deliveryService } from "./delivery-key.ts";
import type { Places } from "./places.ts";
import { workerRetries } from "./retries.ts";
import { withoutDetails } from "./without-details.ts";

interface Needs {
  readonly webhooks: Pick<Webhooks, "retry" | "putBack">;
  /** Shared with first attempts. */
  readonly places: Places;
  readonly log: Log;
}

const sentRef = z.object({ eventId: z.string().regex(eventIdPattern), generation: z.int().min(0) });

/** A step that throws is tried again at once; then the invocation ends, and the delivery is found when it is overdue. */
const stepRetries = { maxRetryAttempts: 3, initialRetryInterval: 200, retryIntervalFactor: 4 };
const keyKeptMs = 60_000;

/** One durable step: one more attempt to deliver an event, after the delay that the last one asked for. */
export const createDeliveryService = ({ webhooks, places, log }: Needs) => {
  const step = async (ref: DeliveryRef): Promise<DeliveryToSend | null> => {
    const [giveBack] = places.tryTake(1);
    try {
      // Nobody waits inside a worker: it is due, and taken when there is a place.
      if (!giveBack) return await webhooks.putBack(ref).then(() => null);
      const next = await webhooks.retry(ref, places.free());
      // Copied field by field: whatever else an answer may carry must not get into the journal.
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
