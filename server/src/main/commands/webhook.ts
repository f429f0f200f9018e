import { text as readAll } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import {
  countOpen,
  disableTarget,
  enableTarget,
  findTarget,
  listDeliveries,
  listTargets,
  newWebhookSecret,
  readWebhookSecret,
  rotateSecret,
  saveTarget,
  type WebhookTarget,
  writeTestEvent,
} from "../../features/webhooks/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Secret } from "../../platform/secret.ts";
import { CommandError } from "./command-error.ts";
import { knownPartner } from "./known-partner.ts";
import type { Operator } from "./operator.ts";
import { limitOption } from "./paging.ts";
import { table } from "./table.ts";
import { webhookReplay } from "./webhook-replay.ts";
import { type WebhookOptions, webhookSettings } from "./webhook-settings.ts";
import { attemptTable, deliveryJson, deliveryTable, targetJson, targetSheet } from "./webhook-shown.ts";

const overlapMs = 24 * 3_600_000;
const testPatienceMs = 15_000;

const noTarget = (partnerId: string): CommandError =>
  new CommandError("no_target", `${partnerId} has no address for webhooks.`, {
    fix: `portage webhook set ${partnerId} --url https://… sets it.`,
  });

const knownTarget = async (db: Database, partnerId: string): Promise<WebhookTarget> => {
  await knownPartner(db, partnerId);
  const target = await findTarget(db, partnerId);
  if (!target) throw noTarget(partnerId);
  return target;
};

const collect = (value: string, before: readonly string[] = []) => [...before, value];

export const webhookCommands = (program: Command, operator: Operator): void => {
  const webhook = program.command("webhook").description("where partners are told of their events");
  const named = (name: string, description: string) =>
    webhook.command(name).description(description).argument("<partner>", "whose");

  const givenSecret = async (wanted: true | undefined): Promise<Secret | null> => {
    if (!wanted) return null;
    const read = readWebhookSecret(await readAll(operator.needs.stdin()));
    if (read.kind === "secret") return read.secret;
    throw new CommandError("invalid_secret", `The secret is refused: ${read.why}.`, { exitCode: 2 });
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

  named("set", "set the address, or change what is sent there; a first secret is made and shown once")
    .option("--url <url>", "the partner's receiver")
    .option("--event <type>", "send only this type; repeat for several", collect)
    .option("--all-events", "send every type")
    .option(
      "--ordered",
      "hold an import's later events back until its earlier ones have arrived (the default)",
    )
    .option("--no-ordered", "send events as they come: one that fails holds nothing back")
    .option("--secret-stdin", "sign with the secret on stdin, which the receiver has already")
    .action(async (partnerId: string, options: WebhookOptions) => {
      const given = await givenSecret(options.secretStdin);
      const { OUTBOUND_ALLOW: allow } = operator.config("OUTBOUND_ALLOW");
      await operator.withDatabase(async (db) => {
        await knownPartner(db, partnerId);
        const before = await findTarget(db, partnerId);
        const settings = await webhookSettings(options, before, allow);
        const made = before || given ? null : newWebhookSecret();
        await saveTarget(db, operator.sealer(), partnerId, settings, given ?? made);
        await show(db, partnerId, made);
      });
    });

  named("rotate", "make a new secret; the old one signs beside it for 24 hours")
    .option("--immediately", "end the old one now: it is known to somebody else")
    .option("--secret-stdin", "take the new secret from stdin")
    .action(async (partnerId: string, options: { immediately?: true; secretStdin?: true }) => {
      const given = await givenSecret(options.secretStdin);
      const secret = given ?? newWebhookSecret();
      await operator.withDatabase(async (db) => {
        await knownTarget(db, partnerId);
        const overlap = options.immediately ? 0 : overlapMs;
        if ((await rotateSecret(db, operator.sealer(), partnerId, secret, overlap)) === "under_way")
          throw new CommandError(
            "rotation_under_way",
            "The last rotation has not ended: two secrets sign now.",
            {
              fix: "Wait until it has, or end both with --immediately.",
            },
          );
        await show(db, partnerId, given ? null : secret);
      });
    });

  limitOption(webhook.command("list").description("every address, by partner"))
    .option("--after <partner>", "start after this partner, the last of the page before")
    .action(async ({ limit, after }: { limit: number; after?: string }) => {
      const found = await operator.withDatabase((db) => listTargets(db, { after, limit: limit + 1 }));
      const page = found.slice(0, limit);
      const next = found.length > limit ? (page.at(-1)?.partnerId ?? null) : null;
      operator.answer({ webhooks: page.map(targetJson), next }, () =>
        page.length === 0
          ? "No addresses yet: portage webhook set PARTNER --url https://… sets one."
          : table(
              ["partner", "address", "events", "failing since", "disabled"],
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

  limitOption(named("show", "one address, or how its last events fared"))
    .option("--deliveries", "the last deliveries, newest first")
    .option("--event <event>", "one delivery with its attempts")
    .option("--after <event>", "go on after this delivery, the last of the page before")
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

  named("test", "send a webhook.test, and say how it fared").action(async (partnerId: string) =>
    operator.withDatabase(async (db) => {
      const { disabledAt } = await knownTarget(db, partnerId);
      if (disabledAt)
        throw new CommandError("disabled", "The address is disabled.", {
          fix: `portage webhook enable ${partnerId}`,
        });
      const eventId = await writeTestEvent(db, partnerId);
      const giveUpAt = performance.now() + testPatienceMs;
      for (;;) {
        const [delivery] = await listDeliveries(db, partnerId, { after: null, limit: 1, eventId });
        if (delivery && (delivery.attempts.length > 0 || performance.now() > giveUpAt)) {
          operator.answer(deliveryJson(delivery), () => deliveryTable([delivery]));
          if (delivery.attempts.length === 0) operator.remark("Nobody has sent it yet: does a worker run?");
          return;
        }
        await sleep(100);
      }
    }),
  );

  named("disable", "send nothing more; events wait until it is enabled").action(async (partnerId: string) =>
    operator.withDatabase(async (db) => {
      await knownTarget(db, partnerId);
      await disableTarget(db, partnerId, "operator");
      await show(db, partnerId);
    }),
  );

  named("enable", "send again, also what has waited").action(async (partnerId: string) =>
    operator.withDatabase(async (db) => {
      await knownTarget(db, partnerId);
      await enableTarget(db, partnerId);
      await show(db, partnerId);
      operator.remark(
        `What was given up stays so: portage webhook replay ${partnerId} --since TIME --undelivered`,
      );
    }),
  );

  webhookReplay(named("replay", "send an event again, or all of a time"), operator, knownTarget);
};
