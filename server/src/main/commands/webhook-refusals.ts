import { CommandError } from "./command-error.ts";

/** What the commands say if there is no such partner, or it has no endpoint. */
export const noTarget = (partnerId: string) => ({
  not_found: (message: string) =>
    message.startsWith("There is no such partner")
      ? new CommandError("unknown_partner", `There is no partner ${partnerId}.`, {
          fix: "Run: portage partner list",
        })
      : new CommandError("no_target", `${partnerId} has no webhook endpoint.`, {
          fix: `Run: portage webhook set ${partnerId} --url https://…`,
        }),
});

/** Of a disabled endpoint nothing is sent: a test or a replay would wait without a word. */
export const isDisabled = (partnerId: string) => ({
  conflict: (message: string) =>
    new CommandError("disabled", message, { fix: `Run: portage webhook enable ${partnerId}` }),
});
