import { type Command, InvalidArgumentError } from "commander";
import { replayEvent, replayRange, type WebhookTarget } from "../../features/webhooks/index.ts";
import type { Database } from "../../platform/db.ts";
import { CommandError } from "./command-error.ts";
import { directChange } from "./direct-change.ts";
import type { Operator } from "./operator.ts";

interface ReplayOptions {
  readonly event?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly undelivered?: true;
}

const time = (text: string): Date => {
  const date = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError("Use a time such as 2026-11-15T08:00:00Z.");
  return date;
};

const replayOne = async (db: Database, partnerId: string, event: string) => {
  const { kind } = await replayEvent(db, partnerId, event);
  if (kind === "missing")
    throw new CommandError("unknown_event", `${partnerId} has no event ${event}.`, {
      fix: `To list recent events, run: portage webhook show ${partnerId} --deliveries`,
    });
  return kind;
};

/** A replay sends the current version of an event: today's counts and today's link. */
export const webhookReplay = (
  command: Command,
  operator: Operator,
  enabledTarget: (db: Database, partnerId: string) => Promise<WebhookTarget>,
): void => {
  command
    .option("--event <event>", "Resend this event")
    .option("--since <time>", "Resend all events since this time", time)
    .option("--until <time>", "With --since: only events before this time", time)
    .option("--undelivered", "With --since: only events that never arrived")
    .action(async (partnerId: string, { event, since, until, undelivered }: ReplayOptions) => {
      if ((event === undefined) === (since === undefined))
        throw new CommandError("nothing_to_replay", "Choose what to resend: --event or --since.", {
          exitCode: 2,
        });
      await operator.withDatabase(async (db) => {
        await enabledTarget(db, partnerId);
        if (event !== undefined) {
          const state = await directChange(db, "replayEvent", async (within) => {
            const result = await replayOne(within, partnerId, event);
            return {
              result,
              target: { kind: "webhook", id: partnerId },
              after: { event_id: event, state: result },
            };
          });
          operator.answer({ event_id: event, state }, () =>
            state === "replayed" ? `${event} is queued for delivery.` : `${event} was already queued.`,
          );
          return;
        }
        const range = {
          since: since ?? new Date(0),
          until: until ?? new Date(Date.now() + 1),
          undelivered: undelivered === true,
        };
        const count = await directChange(db, "replayEvents", async (within) => {
          const replayed = await replayRange(within, partnerId, range);
          return {
            result: replayed,
            target: { kind: "webhook", id: partnerId },
            after: { ...range, replayed },
          };
        });
        operator.answer({ replayed: count }, () => `${count} events are queued for delivery.`);
      });
    });
};
