import { text as readAll } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import {
  countOpen,
  disabledText,
  disableTarget,
  enableTarget,
  findTarget,
  listDeliveries,
  listTargets,
  newWebhookSecret,
  readWebhookSecret,
  rotateSecret,
  saveTarget,
  secretOverlapMs,
  type WebhookTarget,
  writeTestEvent,
} from "../../features/webhooks/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Secret } from "../../platform/secret.ts";
import { CommandError } from "./command-error.ts";
import { directChange } from "./direct-change.ts";
import { requirePartner } from "./require-partner.ts";
import type { Operator } from "./operator.ts";
import { limitOption } from "./paging.ts";
import { table } from "./table.ts";
import { webhookReplay } from "./webhook-replay.ts";
import { type WebhookOptions, webhookSettings } from "./webhook-settings.ts";
import { deliveryJson, targetJson } from "../../http/operator/represent.ts";
import { attemptTable, deliveryTable, targetSheet } from "./webhook-shown.ts";

const testPatienceMs = 15_000;

const noTarget = (partnerId: string): CommandError =>
  new CommandError("no_target", `${partnerId} has no webhook endpoint.`, {
    fix: `Run: portage webhook set ${partnerId} --url https://…`,
  });

const knownTarget = async (db: Database, partnerId: string): Promise<WebhookTarget> => {
  await requirePartner(db, partnerId);
  const target = await findTarget(db, partnerId);
  if (!target) throw noTarget(partnerId);
  return target;
};

/** Of a disabled endpoint nothing is sent: a test or a replay would wait without a word. */
const enabledTarget = async (db: Database, partnerId: string): Promise<WebhookTarget> => {
  const target = await knownTarget(db, partnerId);
  const text = disabledText(target);
  if (text !== null)
    throw new CommandError("disabled", `The endpoint is ${text}.`, {
      fix: `Run: portage webhook enable ${partnerId}`,
    });
  return target;
};

const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** A change of an endpoint, with how it was and how it is in the audit log. */
const changeTarget = <T>(
  db: Database,
  action: string,
  partnerId: string,
  work: (within: Database) => Promise<T>,
): Promise<T> =>
  directChange(db, action, async (within) => {
    await requirePartner(within, partnerId);
    const before = await findTarget(within, partnerId);
    const result = await work(within);
    const after = await knownTarget(within, partnerId);
    return {
      result,
      target: { kind: "webhook", id: partnerId },
      before: before ? targetJson(before) : null,
      after: targetJson(after),
    };
  });

export const webhookCommands = (webhook: Command, operator: Operator): void => {
  const named = (name: string, description: string) =>
    webhook.command(name).description(description).argument("<partner>", "Partner id");

  const givenSecret = async (wanted: true | undefined): Promise<Secret | null> => {
    if (!wanted) return null;
    const read = readWebhookSecret(await readAll(operator.needs.stdin()));
    if (read.kind === "secret") return read.secret;
    throw new CommandError("invalid_secret", `Invalid secret: ${read.why}.`, { exitCode: 2 });
  };

  const show = async (db: Database, partnerId: string, made: Secret | null = null) => {
    const target = await knownTarget(db, partnerId);
    const open = await countOpen(db, partnerId);
    const json = { ...targetJson(target), ...open, ...(made && { secret: made.reveal() }) };
    operator.answer(json, () =>
      [targetSheet(target, open), ...(made ? [`secret  ${made.reveal()}`] : [])].join("\n"),
    );
    if (made) operator.remark("Give the secret to the partner now: it can't be shown again.");
  };

  named("set", "Create or update the endpoint; a new endpoint gets a signing secret, shown once")
    .option("--url <url>", "Endpoint URL of the partner")
    .option("--event <type>", "Send only this event type (repeatable)", collect)
    .option("--all-events", "Send every event type")
    .option("--ordered", "Send an import's events in order: a failing event delays later ones (default)")
    .option("--no-ordered", "Send events as they occur: a failing event delays no other")
    .option("--progress", "Also send import.progress, at most once a minute while a run is under way")
    .option("--no-progress", "Send no import.progress (default)")
    .option("--secret-stdin", "Sign with the secret on stdin, which the receiver already has")
    .action(async (partnerId: string, options: WebhookOptions) => {
      const given = await givenSecret(options.secretStdin);
      const { WEBHOOK_ALLOW: allow } = operator.config("WEBHOOK_ALLOW");
      await operator.withDatabase(async (db) => {
        await requirePartner(db, partnerId);
        const before = await findTarget(db, partnerId);
        const settings = await webhookSettings(options, before, allow);
        const made = before || given ? null : newWebhookSecret();
        await changeTarget(db, "setWebhook", partnerId, (within) =>
          saveTarget(within, operator.sealer(), partnerId, settings, given ?? made),
        );
        await show(db, partnerId, made);
      });
    });

  named("rotate", "Create a new signing secret; the old one also signs for 24 hours")
    .option("--immediately", "Revoke immediately (leaked)")
    .option("--secret-stdin", "Read the new secret from stdin")
    .action(async (partnerId: string, options: { immediately?: true; secretStdin?: true }) => {
      const given = await givenSecret(options.secretStdin);
      const secret = given ?? newWebhookSecret();
      await operator.withDatabase(async (db) => {
        await knownTarget(db, partnerId);
        const overlap = options.immediately ? 0 : secretOverlapMs;
        await changeTarget(db, "rotateWebhookSecret", partnerId, async (within) => {
          if ((await rotateSecret(within, operator.sealer(), partnerId, secret, overlap)) === "under_way")
            throw new CommandError(
              "rotation_under_way",
              "The previous rotation has not ended: two secrets are active.",
              { fix: "Wait until it ends, or revoke both with --immediately." },
            );
        });
        await show(db, partnerId, given ? null : secret);
      });
    });

  limitOption(webhook.command("list").description("List all endpoints, by partner"))
    .option("--after <partner>", "Start after this partner id, the last of the previous page")
    .action(async ({ limit, after }: { limit: number; after?: string }) => {
      const found = await operator.withDatabase((db) => listTargets(db, { after, limit: limit + 1 }));
      const page = found.slice(0, limit);
      const next = found.length > limit ? (page.at(-1)?.partnerId ?? null) : null;
      operator.answer({ webhooks: page.map(targetJson), next }, () =>
        page.length === 0
          ? "No webhook endpoints yet. Run: portage webhook set PARTNER --url https://…"
          : table(
              ["partner", "url", "events", "failing since", "disabled"],
              page.map((t) => [
                t.partnerId,
                t.url,
                t.eventTypes?.join(", ") ?? "all",
                t.failingSince,
                t.disabledBecause ?? false,
              ]),
            ),
      );
      if (next) operator.remark(`There are more: --after ${next}`);
    });

  limitOption(named("show", "Show an endpoint or its recent deliveries"))
    .option("--deliveries", "List recent deliveries, newest first")
    .option("--event <event>", "Show one delivery with its attempts")
    .option("--after <event>", "Start after this delivery, the last of the previous page")
    .action(
      async (
        partnerId: string,
        {
          deliveries,
          event,
          after,
          limit,
        }: { deliveries?: true; event?: string; after?: string; limit: number },
      ) =>
        operator.withDatabase(async (db) => {
          await knownTarget(db, partnerId);
          if (!deliveries && event === undefined) return show(db, partnerId);
          const asked = { after: after ?? null, limit, eventId: event ?? null };
          const found = await listDeliveries(db, partnerId, asked);
          const [only] = found;
          operator.answer({ deliveries: found.map(deliveryJson) }, () =>
            event !== undefined && only
              ? [deliveryTable(found), "", attemptTable(only)].join("\n")
              : found.length === 0
                ? "No deliveries."
                : deliveryTable(found),
          );
        }),
    );

  named("test", "Send a webhook.test event and show the result").action(async (partnerId: string) =>
    operator.withDatabase(async (db) => {
      await enabledTarget(db, partnerId);
      const eventId = await directChange(db, "testWebhook", async (within) => {
        const result = await writeTestEvent(within, partnerId);
        return { result, target: { kind: "webhook", id: partnerId }, after: { event_id: result } };
      });
      const giveUpAt = performance.now() + testPatienceMs;
      for (;;) {
        const [delivery] = await listDeliveries(db, partnerId, { after: null, limit: 1, eventId });
        if (delivery && (delivery.attempts.length > 0 || performance.now() > giveUpAt)) {
          operator.answer(deliveryJson(delivery), () => deliveryTable([delivery]));
          if (delivery.attempts.length === 0)
            operator.remark("No worker has sent the event yet. Check the workers: portage doctor");
          return;
        }
        await sleep(100);
      }
    }),
  );

  named("disable", "Pause deliveries; events wait until it is enabled").action(async (partnerId: string) =>
    operator.withDatabase(async (db) => {
      await knownTarget(db, partnerId);
      await changeTarget(db, "disableWebhook", partnerId, (within) =>
        disableTarget(within, partnerId, "operator"),
      );
      await show(db, partnerId);
    }),
  );

  named("enable", "Resume deliveries, including waiting events").action(async (partnerId: string) =>
    operator.withDatabase(async (db) => {
      await knownTarget(db, partnerId);
      await changeTarget(db, "enableWebhook", partnerId, (within) =>
        enableTarget(within, partnerId, "operator"),
      );
      await show(db, partnerId);
      operator.remark(
        `To resend abandoned events, run: portage webhook replay ${partnerId} --since TIME --undelivered`,
      );
    }),
  );

  webhookReplay(named("replay", "Resend one event, or all events of a period"), operator, enabledTarget);
};
