import {
  type Delivery,
  deliveryErrorTexts,
  disabledTexts,
  type WebhookTarget,
} from "../../features/webhooks/index.ts";
import { sheet, table } from "./table.ts";

const overlapOf = ({ oldSecretUntil }: WebhookTarget) =>
  oldSecretUntil && oldSecretUntil > new Date() ? oldSecretUntil : null;

export const targetSheet = (target: WebhookTarget, open: { waiting: number; held: number }): string =>
  sheet({
    partner: target.partnerId,
    url: target.url,
    events: target.eventTypes?.join(", ") ?? "all",
    order: target.ordered ? "in order per import" : "none",
    progress: target.progress,
    "old secret signs until": overlapOf(target),
    waiting: open.waiting,
    "held back": open.held,
    "failing since": target.failingSince,
    disabled: target.disabledBecause ? disabledTexts[target.disabledBecause] : false,
    "disabled since": target.disabledAt,
    created: target.createdAt,
  });

const wordsOf = (error: string | null) =>
  error === null ? "" : ((deliveryErrorTexts as Readonly<Record<string, string>>)[error] ?? error);

export const deliveryTable = (deliveries: readonly Delivery[]): string =>
  table(
    ["event", "type", "import", "state", "attempts", "last status", "next attempt", "last error"],
    deliveries.map(({ eventId, type, importId, simulationId, state, attempts, nextAttemptAt }) => {
      const last = attempts.at(-1);
      const next = state === "waiting" ? nextAttemptAt : null;
      return [
        eventId,
        type,
        importId ?? simulationId,
        state,
        attempts.length,
        last?.status,
        next,
        wordsOf(last?.error ?? null),
      ];
    }),
  );

export const attemptTable = ({ attempts }: Delivery): string =>
  table(
    ["at", "status", "ms", "error", "answer"],
    attempts.map(({ at, status, durationMs, error, answer }) => [
      at,
      status,
      durationMs,
      wordsOf(error),
      answer?.slice(0, 80),
    ]),
  );
