import type { OperatorDelivery, OperatorWebhook } from "@portage/contract/operator";
import { deliveryErrorTexts, disabledTexts } from "../../features/webhooks/index.ts";
import { dateOf, sheet, table } from "./table.ts";

const overlapOf = ({ old_secret_until }: OperatorWebhook) => {
  const until = dateOf(old_secret_until);
  return until && until > new Date() ? until : null;
};

export const targetSheet = (target: OperatorWebhook): string =>
  sheet({
    partner: target.partner_id,
    url: target.url,
    events: target.events?.join(", ") ?? "all",
    order: target.ordered ? "in order per import" : "none",
    progress: target.progress,
    "old secret signs until": overlapOf(target),
    waiting: target.waiting,
    "held back": target.held,
    "failing since": dateOf(target.failing_since),
    disabled: target.disabled_because ? disabledTexts[target.disabled_because] : false,
    "disabled since": dateOf(target.disabled_at),
    created: dateOf(target.created_at),
  });

const wordsOf = (error: string | null) =>
  error === null ? "" : ((deliveryErrorTexts as Readonly<Record<string, string>>)[error] ?? error);

export const deliveryTable = (deliveries: readonly OperatorDelivery[]): string =>
  table(
    ["event", "type", "import", "state", "attempts", "last status", "next attempt", "last error"],
    deliveries.map(({ event_id, type, import_id, simulation_id, state, attempts, next_attempt_at }) => {
      const last = attempts.at(-1);
      const next = state === "waiting" ? dateOf(next_attempt_at) : null;
      return [
        event_id,
        type,
        import_id ?? simulation_id,
        state,
        attempts.length,
        last?.status,
        next,
        wordsOf(last?.error ?? null),
      ];
    }),
  );

export const attemptTable = ({ attempts }: OperatorDelivery): string =>
  table(
    ["at", "status", "ms", "error", "answer"],
    attempts.map(({ at, status, duration_ms, error, answer }) => [
      dateOf(at),
      status,
      duration_ms,
      wordsOf(error),
      answer?.slice(0, 80),
    ]),
  );
