import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import type { Outbound } from "../../platform/outbound/index.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Attempt, DeliveryRef, DeliveryToSend } from "./delivery.ts";
import { createLoadMessages, type Taken } from "./load-messages.ts";
import { sendMessage } from "./send-message.ts";
import { createSettler } from "./settler.ts";
import { noteHealth, settle, type Settlement } from "./store-settle.ts";
import { putBack, takeDue, type TakeLimits, takeOne } from "./store-take.ts";
import { nextDelayMs, type WebhookTimes } from "./times.ts";

export interface WebhooksNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly outbound: Outbound;
  readonly log: Log;
  readonly times: WebhookTimes;
  /** Calls under way to one partner, over all workers. */
  readonly perPartner: number;
  readonly now?: () => number;
  readonly random?: () => number;
}

/** What the engine asks of webhooks. All that is true is in PostgreSQL: each may be called again, late, or by two at once. */
export interface Webhooks {
  /** Takes what is due for so many free places, whoever should have done it before; each is to be given to `deliver`. */
  takeDue(free: number): Promise<readonly Taken[]>;
  /** One attempt, written down. Answers what to send later; not sent, it becomes overdue and is found. */
  deliver(taken: Taken): Promise<DeliveryToSend | null>;
  /** One attempt of the very delivery that was put off, if it is still to be made. */
  retry(ref: DeliveryRef, free: number): Promise<DeliveryToSend | null>;
  /** It is due, and nobody is at it. */
  putBack(ref: DeliveryRef): Promise<void>;
}

const unreadable = "not_readable";

const cantBeMade = (): Attempt => ({
  at: new Date(),
  status: null,
  durationMs: 0,
  error: unreadable,
  answer: null,
});

export const createWebhooks = (needs: WebhooksNeeds): Webhooks => {
  const { db, log, times } = needs;
  const limits: TakeLimits = { perPartner: needs.perPartner, leaseMs: times.leaseMs };
  const load = createLoadMessages(needs);
  const send = sendMessage({ ...needs, requestMs: times.requestMs });
  /** For all that ended together: each by itself would wait for its partner's row with a connection in hand. */
  const noteHow = async (settlements: readonly Settlement[]) => {
    const of = (isSo: (settlement: Settlement) => boolean) => [
      ...new Set(settlements.filter(isSo).map(({ partnerId }) => partnerId)),
    ];
    const health = {
      reached: of(({ attempt, wasFailing }) => attempt.error === null && wasFailing),
      missed: of(
        ({ attempt }) => attempt.error !== null && attempt.error !== "gone" && attempt.error !== unreadable,
      ),
      gone: of(({ attempt }) => attempt.error === "gone"),
    };
    if (Object.values(health).every((partners) => partners.length === 0)) return;
    for (const { partnerId, because } of await noteHealth(db, health, times.disableAfterMs))
      log.warn({ partner: partnerId, because }, "webhook target disabled: see portage webhook show");
  };

  const writeDown = createSettler({
    settle: async (settlements) => {
      const kept = await settle(db, settlements, times.graceMs);
      // What is not noted now is noted with the next attempt.
      await noteHow(settlements).catch((error: unknown) => log.warn({ err: error }, "health not noted"));
      return kept;
    },
    patienceMs: (times.leaseMs - times.requestMs) / 2,
  });

  const follow = ({ row, message, failing }: Taken, attempt: Attempt): Settlement => {
    const { eventId, generation, partnerId, failures } = row;
    const about = { ref: { eventId, generation }, partnerId, attempt, wasFailing: failing };
    if (attempt.error === null) return { ...about, to: "delivered", delayMs: null };
    // What can't be made now is tried on as well: the operator may have put the wrong keys in place.
    const delayMs = nextDelayMs(times, failures + 1, needs.random);
    if (!message) log.warn({ event: eventId, partner: partnerId }, "a webhook can't be made");
    return { ...about, to: delayMs === null ? "failed" : "waiting", delayMs };
  };

  const deliver = async (taken: Taken): Promise<DeliveryToSend | null> => {
    const attempt = taken.message ? await send(taken.message) : cantBeMade();
    const settlement = follow(taken, attempt);
    const kept = await writeDown(settlement);
    return kept && settlement.delayMs !== null ? { ...settlement.ref, delayMs: settlement.delayMs } : null;
  };

  return {
    takeDue: async (free) => load(await takeDue(db, free, limits)),
    deliver,
    putBack: (ref) => putBack(db.sql, ref),
    retry: async (ref, free) => {
      const [taken] = await load(await takeOne(db, ref, free, limits));
      return taken ? deliver(taken) : null;
    },
  };
};
