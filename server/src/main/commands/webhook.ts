import { text as readAll } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { OperatorWebhook, OperatorWebhookWithSecret } from "@portage/contract/operator";
import type { Command } from "commander";
import { readWebhookSecret } from "../../features/webhooks/index.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { type InvalidFields, listPages, type OperatorClient, pathOf, sameOption } from "./operator-call.ts";
import { limitOption } from "./paging.ts";
import { dateOf, table } from "./table.ts";
import { isDisabled, noTarget } from "./webhook-refusals.ts";
import { webhookReplay } from "./webhook-replay.ts";
import { type WebhookOptions, webhookSettings } from "./webhook-settings.ts";
import { attemptTable, deliveryTable, targetSheet } from "./webhook-shown.ts";

const testPatienceMs = 15_000;
const longestPauseMs = 1_000;

const collect = (value: string, before: readonly string[] = []) => [...before, value];

const listDeliveries = (
  call: OperatorClient,
  partnerId: string,
  asked: {
    readonly after?: string | undefined;
    readonly event_id?: string | undefined;
    readonly limit: number;
  },
) => listPages(call, "deliveries", asked, { path: pathOf`/partners/${partnerId}/webhook/deliveries` });

/** The options behind the fields of an endpoint. */
const optionOf = (field: string) => (field.startsWith("events") ? "--event" : `${sameOption(field)}:`);

const fixOf = ({ url = [] }: InvalidFields) =>
  url.some((problem) => /public address|begin with https/.test(problem))
    ? "To allow it, add its exact host:port to WEBHOOK_ALLOW of the API and the workers."
    : null;

export const webhookCommands = (webhook: Command, operator: Operator): void => {
  const named = (name: string, description: string) =>
    webhook.command(name).description(description).argument("<partner>", "Partner id");

  const givenSecret = async (wanted: true | undefined): Promise<string | undefined> => {
    if (!wanted) return undefined;
    const read = readWebhookSecret(await readAll(operator.needs.stdin()));
    if (read.kind === "secret") return read.secret.reveal();
    throw new CommandError("invalid_secret", `Invalid secret: ${read.why}.`, { exitCode: 2 });
  };

  const show = (target: OperatorWebhookWithSecret) => {
    const { secret } = target;
    operator.answer(target, () =>
      [targetSheet(target), ...(secret === undefined ? [] : [`secret  ${secret}`])].join("\n"),
    );
    if (secret !== undefined) operator.remark("Give the secret to the partner now: it can't be shown again.");
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
      const secret = await givenSecret(options.secretStdin);
      const body = { ...webhookSettings(options), secret };
      show(
        await withOperatorApi(operator, (call) =>
          call<OperatorWebhookWithSecret>(pathOf`/partners/${partnerId}/webhook`, {
            method: "PUT",
            body,
            refusals: noTarget(partnerId),
            optionOf,
            fixOf,
          }),
        ),
      );
    });

  named("rotate", "Create a new signing secret; the old one also signs for 24 hours")
    .option("--immediately", "Revoke immediately (leaked)")
    .option("--secret-stdin", "Read the new secret from stdin")
    .action(async (partnerId: string, options: { immediately?: true; secretStdin?: true }) => {
      const secret = await givenSecret(options.secretStdin);
      show(
        await withOperatorApi(operator, (call) =>
          call<OperatorWebhookWithSecret>(pathOf`/partners/${partnerId}/webhook/rotate`, {
            method: "POST",
            body: { immediately: options.immediately === true, secret },
            refusals: {
              ...noTarget(partnerId),
              conflict: () =>
                new CommandError(
                  "rotation_under_way",
                  "The previous rotation has not ended: two secrets are active.",
                  { fix: "Wait until it ends, or revoke both with --immediately." },
                ),
            },
            optionOf,
          }),
        ),
      );
    });

  limitOption(webhook.command("list").description("List all endpoints, by partner"))
    .option("--after <partner>", "Start after this partner id, the last of the previous page")
    .action(async (asked: { limit: number; after?: string }) => {
      const { rows, next } = await withOperatorApi(operator, (call) => listPages(call, "webhooks", asked));
      operator.answer({ webhooks: rows, next }, () =>
        rows.length === 0
          ? "No webhook endpoints yet. Run: portage webhook set PARTNER --url https://…"
          : table(
              ["partner", "url", "events", "failing since", "disabled"],
              rows.map((t) => [
                t.partner_id,
                t.url,
                t.events?.join(", ") ?? "all",
                dateOf(t.failing_since),
                t.disabled_because ?? false,
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
        withOperatorApi(operator, async (call) => {
          const target = await call<OperatorWebhook>(pathOf`/partners/${partnerId}/webhook`, {
            refusals: noTarget(partnerId),
          });
          if (!deliveries && event === undefined) return show(target);
          const { rows: found, next } = await listDeliveries(call, partnerId, {
            after,
            limit,
            event_id: event,
          });
          const [only] = found;
          operator.answer({ deliveries: found, next }, () =>
            event !== undefined && only
              ? [deliveryTable(found), "", attemptTable(only)].join("\n")
              : found.length === 0
                ? "No deliveries."
                : deliveryTable(found),
          );
          if (next) operator.remark(`There are more: --after ${next}`);
        }),
    );

  named("test", "Send a webhook.test event and show the result").action(async (partnerId: string) =>
    withOperatorApi(operator, async (call) => {
      const { event_id } = await call<{ event_id: string }>(pathOf`/partners/${partnerId}/webhook/test`, {
        method: "POST",
        refusals: { ...noTarget(partnerId), ...isDisabled(partnerId) },
      });
      const giveUpAt = performance.now() + testPatienceMs;
      for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
        const {
          rows: [delivery],
        } = await listDeliveries(call, partnerId, { limit: 1, event_id });
        if (delivery && (delivery.attempts.length > 0 || performance.now() > giveUpAt)) {
          operator.answer(delivery, () => deliveryTable([delivery]));
          if (delivery.attempts.length === 0)
            operator.remark("No worker has sent the event yet. Check the workers: portage doctor");
          return;
        }
        await sleep(pauseMs);
      }
    }),
  );

  const switching = async (partnerId: string, to: "enable" | "disable") =>
    show(
      await withOperatorApi(operator, (call) =>
        call<OperatorWebhook>(`${pathOf`/partners/${partnerId}/webhook`}/${to}`, {
          method: "POST",
          refusals: noTarget(partnerId),
        }),
      ),
    );

  named("disable", "Pause deliveries; events wait until it is enabled").action((partnerId: string) =>
    switching(partnerId, "disable"),
  );

  named("enable", "Resume deliveries, including waiting events").action(async (partnerId: string) => {
    await switching(partnerId, "enable");
    operator.remark(
      `To resend abandoned events, run: portage webhook replay ${partnerId} --since TIME --undelivered`,
    );
  });

  webhookReplay(named("replay", "Resend one event, or all events of a period"), operator);
};
