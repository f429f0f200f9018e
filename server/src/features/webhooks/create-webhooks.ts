import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { type Metrics, noMetrics } from "../../platform/metrics/index.ts";
import { elapsedMs, momentNow } from "../../platform/moment.ts";
import type { Outbound } from "../../platform/outbound/index.ts";
import type { Sealer } from "../../platform/seal.ts";
import { inSpan, spanKind, statusAttribute } from "../../platform/tracing.ts";
import type { Attempt, DeliveryRef, DeliveryToSend } from "./delivery.ts";
import { createLoadMessages, type Taken } from "./load-messages.ts";
import { sendMessage } from "./send-message.ts";
import { createSettler } from "./settler.ts";
import { noteHealth, type TargetHealth } from "./store-health.ts";
import { settleDelivery, type DeliverySettlement } from "./store-settle.ts";
import { putBack, takeDueDeliveries, type TakeLimits, takeOne } from "./store-take.ts";
import { nextDelayMs, type WebhookTimes } from "./times.ts";

export interface WebhooksNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly outbound: Outbound;
  readonly log: Log;
  readonly times: WebhookTimes;
  /** The most concurrent calls to one partner, over all workers. */
  readonly perPartner: number;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly metrics?: Metrics;
}

/** The engine's interface. All state is in PostgreSQL: each call may be repeated, late or concurrent. */
export interface Webhooks {
  /** Takes due deliveries for the free slots, also those that others missed; the caller passes each to `deliver`. */
  takeDue(free: number): Promise<readonly Taken[]>;
  /** Makes and records one attempt. Returns the next one to schedule; if that is lost, `takeDue` finds it overdue. */
  deliver(taken: Taken): Promise<DeliveryToSend | null>;
  /** Makes one attempt of the scheduled delivery, if that is still current. */
  retry(ref: DeliveryRef, free: number): Promise<DeliveryToSend | null>;
  /** Makes a waiting delivery due at once. */
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

const outcomeOf = ({ error, status }: Attempt): string => {
  if (error === null) return "delivered";
  if (error === unreadable) return "unreadable";
  return status === null ? "unreachable" : "refused";
};

const healthOf = ({ target }: Taken, { error }: Attempt): TargetHealth | null => {
  if (!target || error === unreadable) return null;
  const of = (verdict: TargetHealth["verdict"]) => ({
    partnerId: target.partnerId,
    epoch: target.healthEpoch,
    verdict,
  });
  if (error === null) return target.failing ? of("reached") : null;
  return of(error === "gone" ? "gone" : "missed");
};

export const createWebhooks = (needs: WebhooksNeeds): Webhooks => {
  const { db, log, times, metrics = noMetrics } = needs;
  const limits: TakeLimits = { perPartner: needs.perPartner, leaseMs: times.leaseMs };
  const load = createLoadMessages(needs);
  const send = sendMessage({ ...needs, requestMs: times.requestMs });
  /** For a whole batch: one by one, each would hold a connection while it waits for its partner's row. */
  const noteHow = async (settlements: readonly DeliverySettlement[]) => {
    const healths = settlements.flatMap(({ health }) => health ?? []);
    for (const { partnerId, because } of await noteHealth(db, healths, times.disableAfterMs))
      log.warn({ partner: partnerId, because }, "webhook target disabled: see portage webhook show");
  };

  const writeDown = createSettler({
    settle: async (settlements) => {
      const kept = await settleDelivery(db, settlements, times.graceMs);
      // If this fails, the next attempt records the health.
      await noteHow(settlements).catch((error: unknown) => log.warn({ err: error }, "health not saved"));
      return kept;
    },
    patienceMs: (times.leaseMs - times.requestMs) / 2,
  });

  const follow = (taken: Taken, attempt: Attempt): DeliverySettlement => {
    const { row, message } = taken;
    const { eventId, generation, partnerId, failures } = row;
    const about = { ref: { eventId, generation }, attempt, health: healthOf(taken, attempt) };
    if (attempt.error === null) return { ...about, to: "delivered", delayMs: null };
    // Retry what can't be built as well: the operator may have configured the wrong keys.
    const delayMs = nextDelayMs(times, failures + 1, needs.random);
    if (!message) log.warn({ event: eventId, partner: partnerId }, "webhook message can't be built");
    return { ...about, to: delayMs === null ? "failed" : "waiting", delayMs };
  };

  /**
   * One attempt, with a trace of its own: what caused the event may be days ago. Null: none was made, because the answer could come after
   * the lease; another worker may have sent the event, and later ones of its lane.
   */
  const attemptTo = ({ row, message, takenAt }: Taken): Promise<Attempt | null> => {
    const maySend = () => elapsedMs(takenAt) < times.leaseMs - times.requestMs;
    const about = {
      "portage.event_id": row.eventId,
      "portage.partner_id": row.partnerId,
      "portage.attempt": row.failures + 1,
      ...(row.importId !== null && { "portage.import_id": row.importId }),
    };
    return inSpan(
      "webhook attempt",
      about,
      async (span) => {
        const attempt = message ? await send(message, maySend) : cantBeMade();
        if (!attempt) return null;
        if (attempt.status !== null) span.note(statusAttribute(attempt.status));
        if (attempt.error !== null) span.fail(attempt.error);
        return attempt;
      },
      spanKind.CLIENT,
    );
  };

  /** Attempts that have ended and are not recorded yet: they hold no slot of their partner. */
  const answered = new Set<DeliveryRef>();

  const deliver = async (taken: Taken): Promise<DeliveryToSend | null> => {
    const attempt = await attemptTo(taken);
    if (!attempt) return null;
    metrics.count("portage_webhook_attempts_total", { outcome: outcomeOf(attempt) });
    const settlement = follow(taken, attempt);
    answered.add(settlement.ref);
    const kept = await writeDown(settlement).finally(() => answered.delete(settlement.ref));
    return kept && settlement.delayMs !== null ? { ...settlement.ref, delayMs: settlement.delayMs } : null;
  };

  return {
    takeDue: async (free) => {
      const takenAt = momentNow();
      return load(await takeDueDeliveries(db, free, limits, [...answered]), takenAt);
    },
    deliver,
    putBack: (ref) => putBack(db.sql, ref),
    retry: async (ref, free) => {
      const takenAt = momentNow();
      const [taken] = await load(await takeOne(db, ref, free, limits, [...answered]), takenAt);
      return taken ? deliver(taken) : null;
    },
  };
};
