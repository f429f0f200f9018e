import { setTimeout as sleep } from "node:timers/promises";
import type { Taken, Webhooks } from "../features/webhooks/index.ts";
import type { Log } from "../platform/log.ts";
import type { Ingress } from "./ingress.ts";
import { startLoop } from "../platform/loop.ts";
import type { Semaphore } from "./semaphore.ts";

interface Needs {
  readonly webhooks: Pick<Webhooks, "takeDue" | "deliver">;
  readonly ingress: Pick<Ingress, "sendDelivery">;
  readonly places: Semaphore;
  readonly log: Log;
  readonly idleMs?: number;
}

export interface Deliveries {
  /** Takes no more deliveries; resolves when the running attempts are recorded. */
  stop(): Promise<void>;
}

const batchSize = 200;
/** A short pause after a batch, so that the next one takes several deliveries at once. */
const pauseMs = 10;

/**
 * Makes first attempts, and retries that Restate lost: takes due deliveries from PostgreSQL, up to the semaphore's
 * limit. Retries normally come through Restate, which waits out the delay; without it, each is some seconds late.
 */
export const startDeliveries = ({ webhooks, ingress, places, log, idleMs = 100 }: Needs): Deliveries => {
  const under = new Set<Promise<void>>();

  const deliver = async (taken: Taken, giveBack: () => void) => {
    try {
      const next = await webhooks.deliver(taken);
      if (next)
        await ingress.sendDelivery(next).catch((error: unknown) => {
          log.debug({ err: error, event: next.eventId }, "retry is left to the sweep");
        });
    } catch (error) {
      log.warn({ err: error, event: taken.row.eventId }, "delivery failed");
    } finally {
      giveBack();
    }
  };

  const iterate = async () => {
    const held = places.tryTake(batchSize);
    if (held.length === 0) return pauseMs;
    let taken: readonly Taken[] = [];
    try {
      taken = await webhooks.takeDue(held.length);
    } finally {
      for (const giveBack of held.slice(taken.length)) giveBack();
    }
    for (const [index, each] of taken.entries()) {
      const ended = deliver(each, held[index] ?? (() => {})).finally(() => under.delete(ended));
      under.add(ended);
    }
    // Nothing is due, or each partner has all the calls that it may have: one that ends makes room for the next.
    if (taken.length === 0) await Promise.race([sleep(idleMs), ...under]);
    return pauseMs;
  };

  const loop = startLoop({ name: "deliveries", log, iterate });
  return {
    stop: async () => {
      await loop.stop();
      await Promise.all(under);
    },
  };
};
