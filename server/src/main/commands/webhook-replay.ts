import { type Command, InvalidArgumentError } from "commander";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { pathOf } from "./operator-call.ts";
import { isDisabled, noTarget } from "./webhook-refusals.ts";

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

/** A replay sends the current version of an event: today's counts and today's link. */
export const webhookReplay = (command: Command, operator: Operator): void => {
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
      if (event !== undefined) {
        const { state } = await withOperatorApi(operator, async (call) => {
          await call(pathOf`/partners/${partnerId}/webhook`, { refusals: noTarget(partnerId) });
          return call<{ state: string }>(pathOf`/partners/${partnerId}/webhook/replay`, {
            method: "POST",
            body: { event_id: event },
            refusals: {
              ...isDisabled(partnerId),
              not_found: () =>
                new CommandError("unknown_event", `${partnerId} has no event ${event}.`, {
                  fix: `To list recent events, run: portage webhook show ${partnerId} --deliveries`,
                }),
            },
          });
        });
        operator.answer({ event_id: event, state }, () =>
          state === "replayed" ? `${event} is queued for delivery.` : `${event} was already queued.`,
        );
        return;
      }
      const { replayed } = await withOperatorApi(operator, (call) =>
        call<{ replayed: number }>(pathOf`/partners/${partnerId}/webhook/replay-range`, {
          method: "POST",
          body: { since, until, undelivered: undelivered === true },
          refusals: { ...noTarget(partnerId), ...isDisabled(partnerId) },
        }),
      );
      operator.answer({ replayed }, () => `${replayed} events are queued for delivery.`);
    });
};
